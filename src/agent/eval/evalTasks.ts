import type { EvalTask } from "./evalTask.ts";
import { GO_TASKS } from "./goTasks.ts";
import { JAVA_TASKS } from "./javaTasks.ts";
import { PYTHON_TASKS } from "./pythonTasks.ts";
import { RUST_TASKS } from "./rustTasks.ts";
import { TYPESCRIPT_TASKS } from "./typescriptTasks.ts";

/** Twenty small changes, in five languages. */
export const EVAL_TASKS: readonly EvalTask[] = [
  ...TYPESCRIPT_TASKS,
  ...PYTHON_TASKS,
  ...GO_TASKS,
  ...RUST_TASKS,
  ...JAVA_TASKS,
];
