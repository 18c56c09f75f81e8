import type { Localize } from "../../base/localize.ts";
import type { ModelMeasurement } from "../../model/connections/measureModel.ts";
import type { LearnedModel, RequestPart } from "../../model/learnedCapabilities.ts";
import { failureMessage } from "../../model/messages.ts";
import type { ModelFailure } from "../../model/modelFailure.ts";
import type { ModelInfo, ModelPrice } from "../../model/modelInfo.ts";
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
};

/** What was learned of a model, on one line. */
export function learnedText(t: Localize, { refused, formats }: LearnedModel): string {
  const names = { ast: t("by AST path"), lines: t("by lines"), complete: t("whole files") };
  const edits = (["ast", "lines", "complete"] as const).flatMap((format) => {
    const { resolved, refused: lost, rejected } = formats[format];
    const facts = { format: names[format], count: resolved + lost, resolved, rejected };
    return resolved + lost === 0
      ? []
      : [t("edits {format}: {resolved} of {count} placed, {rejected} rejected", facts)];
  });
  return [...refused.map((part) => REFUSED[part](t)), ...edits].join(" · ");
}

/** What the vendor of a VS Code model is called. */
export function vendorName(vendor: string): string {
  return vendor === "copilot" ? "Copilot" : vendor;
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
