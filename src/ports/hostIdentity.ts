/** How an extension host is named where other hosts find it, such as in a lease. */
export interface HostIdentity {
  /** Unlike that of any other host, now and later. */
  readonly name: string;
  /** True where the host of that name is proven to have ended; false where nobody knows. */
  hasEnded(name: string): Promise<boolean>;
}
