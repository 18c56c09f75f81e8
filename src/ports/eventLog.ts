/** An append-only list of lines that outlives the window. */
export interface EventLog {
  /** Every line appended so far, in order, without line ends; a torn last line is left out. */
  read(): Promise<readonly string[]>;
  /** Appends lines in order; they hold no line breaks. */
  append(lines: readonly string[]): Promise<void>;
}

/** A small file beside a log that says who writes the log. */
export interface ClaimFile {
  /** The text, or null where there is no such file. */
  read(): Promise<string | null>;
  /** Makes the file; false, and nothing happens, where there is one. Of two that ask at the same time both may get true: then the later one's text stands. */
  create(text: string): Promise<boolean>;
  /** Puts the text in the place of what the file holds. */
  write(text: string): Promise<void>;
  /** Removes the file; fine where there is none. */
  remove(): Promise<void>;
}

/** Where a workspace's logs live. */
export interface EventLogStorage {
  /** The names of the logs, newest last. */
  names(): Promise<readonly string[]>;
  /** Opens a log, which is created by its first append. Names consist of letters, digits and `-`. */
  open(name: string): EventLog;
  /** The claim file of a log, which need not exist, nor need the log. */
  claim(name: string): ClaimFile;
}
