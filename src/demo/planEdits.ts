import { err, type Result } from "../base/result.ts";
import type { DemoIntent } from "./demoIntent.ts";
import type { DemoSource } from "./demoSource.ts";
import type { EditPlan } from "./editPlan.ts";
import { planConstant } from "./planConstant.ts";
import { planDocComments } from "./planDocComments.ts";
import { planGuard } from "./planGuard.ts";
import { planRename } from "./planRename.ts";

/** A request that changes a file. */
export type EditIntent = Exclude<DemoIntent, { kind: "explain" | "unknown" }>;

/** Works out the edits; the error is a sentence that says why there are none. */
export function planEdits(source: DemoSource, intent: EditIntent): Result<EditPlan, string> {
  const { path, text, document } = source;
  if (!source.editable) return err(`\`${path}\` is in another language: this demonstration edits TypeScript, JavaScript and Python only.`);
  if (text.trim() === "") return err(`\`${path}\` is empty. There is nothing to do.`);
  const plan = planFor(source, intent);
  const errors = document.errorCount();
  if (plan.ok || errors === 0) return plan;
  return err(`${plan.error} The file has syntax errors, which may hide what you mean.`);
}

function planFor(source: DemoSource, intent: EditIntent): Result<EditPlan, string> {
  switch (intent.kind) {
    case "document":
      return planDocComments(source, intent.target, intent.members);
    case "rename":
      return planRename(source, intent.from, intent.to);
    case "extract":
      return planConstant(source, intent.literal, intent.name);
    case "guard":
      return planGuard(source, intent.target);
  }
}
