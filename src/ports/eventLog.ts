/** An append-only list of lines that outlives the window. */
export interface EventLog {
  /** Every line appended so far, in order, without line ends; a torn last line is left out. */
  read(): Promise<readonly string[]>;
  /** Appends lines in order; they hold no line breaks. */
  append(lines: readonly string[]): Promise<void>;
}

/** Where a workspace's logs live. */
export interface EventLogStorage {
  /** The names of the logs, newest last. */
  names(): Promise<readonly string[]>;
  /** Opens a log, which is created by its first append. Names consist of letters, digits and `-`. */
  open(name: string): EventLog;
}
