/** The system's code of a failed call (`ENOENT`, `EACCES`, …), or "" when the error carries none. */
export function errorCode(error: unknown): string {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";
}
