/** A small change to one file, with what shows that it was made. */
export interface EvalTask {
  readonly name: string;
  readonly path: string;
  readonly before: string;
  /** A right result. Its elements, and the lines that it has in common with `before`, are expected. */
  readonly after: string;
  /** What the model is asked to do. */
  readonly request: string;
  /** Texts that the result must hold, whatever the white space. */
  readonly holds: readonly string[];
  /** Texts that it must no longer hold. */
  readonly lacks: readonly string[];
}
