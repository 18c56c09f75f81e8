import { counted } from "../base/counted.ts";
import { err, ok, type Result } from "../base/result.ts";
import { type DemoElement, type DemoSource, demoElements, isCallable } from "./demoSource.ts";
import type { EditPlan } from "./editPlan.ts";
import { type Parameter, readSignature } from "./signature.ts";

/** Checks the required parameters at the top of a function: `target`, else the first that has any. The error is a sentence. */
export function planGuard(source: DemoSource, target: string | null): Result<EditPlan, string> {
  const { path } = source;
  const callable = demoElements(source).filter(
    (element) => isCallable(element) && element.element.body !== null && !element.element.hasError,
  );
  const wanted =
    target === null
      ? callable
      : callable.filter((element) => element.path === target || element.name === target || element.path.endsWith(`-${target}`));
  const element = wanted.find((candidate) => checks(source, candidate).length > 0);
  if (wanted.length === 0) {
    return err(
      target === null ? `I find no function with a body in \`${path}\`.` : `I find no function \`${target}\` with a body in \`${path}\`.`,
    );
  }
  if (!element) return err(`${target === null ? "No function" : `\`${target}\``} in \`${path}\` has a required parameter to check.`);
  const guards = checks(source, element);
  return ok({
    found: `\`${element.name}\` at line ${element.startLine} of \`${path}\` has ${counted(guards.length, "required parameter")}.`,
    lineNumbers: false,
    words: `${guards.length === 1 ? "A guard at the top of the body throws" : "Guards at the top of the body throw"} when an argument is missing or not what its type says.`,
    blocks: [{ address: `ast-path:${element.path}:prepend`, body: guards.join("\n") }],
  });
}

function checks({ text, python, typescript }: DemoSource, { element, name }: DemoElement): readonly string[] {
  const head = text.slice(element.range.start, element.body?.inner.start ?? element.range.end);
  const required = (readSignature(head, name)?.parameters ?? []).filter(({ optional, names }) => !optional && names.length === 1);
  return required
    .map((parameter) => (python ? pythonCheck(parameter) : scriptCheck(parameter, typescript)))
    .filter((check) => check !== null);
}

function pythonCheck({ names: [name], type }: Parameter): string | null {
  if (name === undefined || (type !== null && /None|Optional|Any\b/.test(type))) return null;
  return `if ${name} is None:\n    raise ValueError("${name} is required")`;
}

function scriptCheck({ names: [name], type }: Parameter, typescript: boolean): string | null {
  if (name === undefined || (type !== null && /undefined|null|unknown|\bany\b/.test(type))) return null;
  const condition = typescript && type === "number" ? `!Number.isFinite(${name})` : `${name} === undefined || ${name} === null`;
  const problem = typescript && type === "number" ? `${name} must be a finite number` : `${name} is required`;
  return `if (${condition}) throw new TypeError("${problem}");`;
}
