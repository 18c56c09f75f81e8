import type { EvalBudget, EvalRow } from "../../agent/eval/runEval.ts";
import type { Localize } from "../../base/localize.ts";
import type { ModelMeasurement } from "../../model/connections/measureModel.ts";
import type { LearnedModel, MeasuredFormat, RequestPart } from "../../model/learnedCapabilities.ts";
import { failureMessage } from "../../model/messages.ts";
import type { ModelFailure } from "../../model/modelFailure.ts";
import type { ModelInfo, ModelPrice } from "../../model/modelInfo.ts";
import type { AgentOption } from "../../ports/commands/agentOffers.ts";
import { costText } from "../../turns/messages.ts";
import type { Remedy } from "./findModels.ts";

/** What is known of a model, on one line: window, what it can do, price. */
export function modelFacts(
  t: Localize,
  { contextWindow, tools, images, reasoning, price }: ModelInfo,
): string {
  const able = [
    tools === true ? t("tools") : "",
    images === true ? t("images") : "",
    reasoning === true ? t("reasoning") : "",
  ];
  const marks = [...able, tools === false ? t("no tools") : ""]
    .filter((mark) => mark !== "")
    .join(", ");
  const facts = [
    contextWindow === null ? "" : t("{size} tokens", { size: shortCount(contextWindow) }),
    marks,
    price === null ? "" : priceText(t, price),
  ];
  return facts.filter((fact) => fact !== "").join(" · ");
}

function priceText(t: Localize, { input, output }: ModelPrice): string {
  return input === 0 && output === 0
    ? t("free")
    : t("{input} in, {output} out per million tokens", {
        input: `$${input}`,
        output: `$${output}`,
      });
}

/** `128k`, `1M`. */
function shortCount(count: number): string {
  if (count < 1000) return String(count);
  if (count < 1_000_000) return `${Math.round(count / 1000)}k`;
  return `${Number((count / 1_000_000).toFixed(1))}M`;
}

const REFUSED: Readonly<Record<RequestPart, (t: Localize) => string>> = {
  tools: (t) => t("refuses tools"),
  images: (t) => t("refuses images"),
  "stream-options": (t) => t("refuses to count tokens in a stream"),
  "provider-data": (t) => t("refuses its own earlier reasoning"),
  "cache-control": (t) => t("refuses cache markers"),
  "system-role": (t) => t("refuses instructions of their own: they begin the first message"),
  streaming: (t) => t("refuses to stream: answers come whole"),
  "null-content": (t) => t("refuses messages without text"),
  "text-with-calls": (t) => t("refuses text and tool calls in one message"),
  "parallel-calls": (t) => t("refuses several tool calls in one message"),
  temperature: (t) => t("refuses a temperature"),
  "reasoning-effort": (t) => t("refuses a reasoning effort"),
  "no-max-tokens": (t) => t("wants a limit for the answer"),
  "max-tokens-name": (t) => t("wants max_completion_tokens as the limit's name"),
  "call-ids": (t) => t("wants ids of tool calls with nine letters and digits"),
  "user-after-calls": (t) => t("needs an answer between a tool's result and your message"),
  "empty-content": (t) => t("refuses empty messages"),
  "tool-names": (t) => t("wants the tool's name with each result"),
  "unsigned-calls": (t) => t("wants a signature with each tool call"),
  "no-reasoning-content": (t) => t("wants the reasoning back with each answer"),
  "reasoning-with-tools": (t) => t("cannot reason while tools are offered: the effort is none"),
  "chat-api": (t) => t("is asked through the Responses API"),
  "ollama-chat": (t) => t("cannot be told which context window to load"),
};

/** What was learned of a model, on one line. */
export function learnedText(t: Localize, { refused, formats, best }: LearnedModel): string {
  const names = formatNames(t);
  const edits = (["ast", "lines", "complete"] as const).flatMap((format) => {
    const { resolved, refused: lost, rejected } = formats[format];
    const facts = { format: names[format], count: resolved + lost, resolved, rejected };
    return resolved + lost === 0
      ? []
      : [t("edits {format}: {resolved} of {count} placed, {rejected} rejected", facts)];
  });
  const tested = best ? [t("edits best {format}, as tested", { format: names[best] })] : [];
  return [...refused.map((part) => REFUSED[part](t)), ...edits, ...tested].join(" · ");
}

/** How a model edits, by format. */
function formatNames(t: Localize): Readonly<Record<MeasuredFormat, string>> {
  return {
    ...{ ast: t("by AST path"), lines: t("by lines"), complete: t("whole files") },
    patch: t("by search and replace"),
  };
}

/**
 * What a connection test showed. Times are in milliseconds; `roundTripMs` is null where nothing
 * could be measured.
 */
export function testedMessage(
  t: Localize,
  {
    model,
    from,
    roundTripMs,
    measured,
  }: {
    readonly model: string;
    readonly from: string;
    readonly roundTripMs: number | null;
    readonly measured: ModelMeasurement;
  },
): string {
  const { firstTokenMs, tokensPerSecond, tools } = measured;
  const facts = [
    roundTripMs === null ? "" : t("round trip {time} ms", { time: Math.round(roundTripMs) }),
    t("first token after {time} s", { time: (firstTokenMs / 1000).toFixed(1) }),
    tokensPerSecond === null
      ? ""
      : t("{count} tokens a second", { count: Math.round(tokensPerSecond) }),
    tools ? t("tools work") : t("no tool calls"),
  ];
  return `${t("{model} from {from} works:", { model, from })} ${facts.filter((fact) => fact !== "").join(", ")}.`;
}

/** The button that does what helps. */
export function remedyLabel(t: Localize, remedy: Remedy): string {
  switch (remedy) {
    case "set-api-key":
      return t("Enter API key");
    case "open-connections":
      return t("Open connections");
    case "open-network-settings":
      return t("Open network settings");
    case "change-address":
      return t("Change the address");
    case "choose-model":
    case "compact":
    case "new-chat":
      return t("Choose model");
    case "retry":
    case "test-connection":
      return t("Try again");
  }
}

/** Why the models of a connection could not be listed, or the connection not be used. */
export function connectionFailure(t: Localize, failure: ModelFailure, from: string): string {
  return failureMessage({ ...failure, baseUrl: from, model: "" }, t);
}

/** What a test of edits takes, before it starts. */
export function evalBudgetText(t: Localize, budget: EvalBudget): string {
  const { tasks, tokens, mostTokens, cost } = budget;
  const facts = { tasks, tokens: withCommas(tokens), most: withCommas(mostTokens) };
  const what = t(
    "{tasks} small tasks that come with Graft, about {tokens} tokens; it stops at {most}. Nothing of your workspace is sent, and nothing is written to disk.",
    facts,
  );
  return cost === null ? what : `${what} ${t("About {cost}.", { cost: costText(cost) })}`;
}

/** What a test of edits found, as a table in Markdown. */
export function evalMarkdown(t: Localize, rows: readonly EvalRow[]): string {
  const names = formatNames(t);
  const heads = [
    ...[t("Edits"), t("right"), t("repaired"), t("refused"), t("wrong"), t("no answer")],
    ...[t("tokens"), t("seconds"), t("cost")],
  ];
  const cells = rows.map((row) => [
    names[row.format],
    ...[row.right, row.repaired, row.refused, row.wrong, row.failed].map(String),
    (row.isEstimated ? "≈" : "") + withCommas(row.tokens),
    row.seconds.toFixed(1),
    row.cost === null ? "–" : costText(row.cost),
  ]);
  const line = (texts: readonly string[]) => `| ${texts.join(" | ")} |`;
  const rule = heads.map((_, at) => (at === 0 ? "---" : "--:"));
  return [heads, rule, ...cells].map(line).join("\n");
}

/** What follows from a test of edits. */
export function evalBestText(
  t: Localize,
  model: string,
  best: MeasuredFormat | null,
  isComplete: boolean,
): string {
  if (!isComplete) return t("The test did not finish, so nothing was set.");
  if (best === null) return t("No edit format solved a task, so Graft set none.");
  return t(
    "Graft now asks {model} for edits {format}. The setting graft.edits.format overrides this.",
    { model, format: formatNames(t)[best] },
  );
}

function withCommas(count: number): string {
  return count.toLocaleString("en");
}

/** What users call an option of an agent. */
export function optionName(t: Localize, { name }: AgentOption): string {
  return name === "" ? t("Mode") : name;
}

/** The name of the value that an option has now. */
export function currentName({ values, current }: AgentOption): string {
  return values.find(({ id }) => id === current)?.name ?? current;
}

/** Why so many models are not asked together. */
export function countOfModels(t: Localize, count: number): string {
  if (count === 0) return t("Choose 2 to 4 models.");
  return count === 1
    ? t("Choose at least one more model: 2 to 4 can answer one request.")
    : t("{count} models are chosen. At most 4 can answer one request.", { count });
}
