/** An append-only list of lines that outlives the window. */
export interface EventLog {
  /** Every line appended so far, in order, without line ends; a line that a crash tore comes as far as it was written. */
  read(): Promise<readonly string[]>;
  /** Appends lines in order; they hold no line breaks. */
  append(lines: readonly string[]): Promise<void>;
  /** Where it lies, for people; absent where that is nowhere. */
  readonly place?: string;
  /** Keeps what lies there now beside it, begins anew with `lines`, and gives the new place of the former; absent where that cannot be. */
  setAside?(lines: readonly string[]): Promise<string>;
}

/** What went wrong with stored files: a damaged one lies at `place` now; the others are where they were. */
export interface StorageFault {
  readonly code: "damaged" | "unreadable" | "unwritable";
  readonly what: "chat" | "changes" | "proposal";
  readonly place: string;
  /** What the system says. */
  readonly detail: string;
}

/** A small file beside the logs: who writes one of them, or what all of them hold. */
export interface SmallFile {
  /** The text, or null where there is no such file. */
  read(): Promise<string | null>;
  /** Makes the file; false, and nothing happens, where there is one. Of two that ask at the same time both may get true: then the later one's text stands. */
  create(text: string): Promise<boolean>;
  /** Puts the text in the place of what the file holds. */
  write(text: string): Promise<void>;
  /** Removes the file; fine where there is none. */
  remove(): Promise<void>;
  /** Gives the file another name, beside it, and says which; absent where that cannot be. */
  setAside?(): Promise<string>;
}

/** Small files of one folder. A write replaces a file as a whole, and outlasts a loss of power where the system can promise that. */
export interface SmallFiles {
  /** Where they lie, for people. */
  readonly place: string;
  /** Their names; none where there is no folder. */
  list(): Promise<readonly string[]>;
  open(name: string): SmallFile;
}

/** A log as its storage lists it, without having read it. */
export interface LogEntry {
  readonly name: string;
  /** When it was last appended to, in milliseconds since 1970; 0 where the storage does not say. */
  readonly changedAt: number;
  /** Another text after every append. */
  readonly version: string;
}

/** Where a workspace's logs live. */
export interface EventLogStorage {
  /** The logs, the one that was appended to last at the end. */
  list(): Promise<readonly LogEntry[]>;
  /** Opens a log, which is created by its first append. Names consist of letters, digits and `-`. */
  open(name: string): EventLog;
  /** The claim file of a log, which need not exist, nor need the log. */
  claim(name: string): SmallFile;
  /** Removes a log for good; fine where there is none. */
  remove(name: string): Promise<void>;
  /** What is known about the logs without reading them; it can be lost. */
  readonly index: SmallFile;
}

/** The name of a log; throws for one that no storage takes. */
export function logName(name: string): string {
  if (!/^[A-Za-z0-9-]+$/.test(name)) throw new Error(`A log's name consists of letters, digits and "-", not ${JSON.stringify(name)}.`);
  return name;
}
