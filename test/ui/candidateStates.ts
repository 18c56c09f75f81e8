import { modelError } from "../../src/model/modelFailure.ts";
import type { ComparedAnswers } from "../../src/protocol/candidateMessages.ts";
import { TurnScript } from "../fakes/turns/turnScript.ts";
import { readyStatus } from "./panelPage.ts";
import type { TestedPanel } from "./withPanel.ts";

const MODELS = ["Claude Sonnet 4.5", "gpt-5-mini", "qwen3-coder:30b"] as const;

/** A request that three models answer; none is done. */
export function askedThree(): TurnScript {
  const candidates = MODELS.map((model, at) => ({ chatId: `chat-model-${at + 1}`, model }));
  return new TurnScript().ask("Add a discount to the cart").add({ type: "candidates", candidates });
}

const usage = { inputTokens: 8_200, outputTokens: 910, cost: 0.0312 };
const cart = { path: "src/cart.ts", base: null, text: null };
const coupon = { path: "src/coupon.ts", base: null, text: null };

/** The same with two that propose changes, and one that failed. */
export function answeredByTwo(): TurnScript {
  const place = { baseUrl: "https://example.com/v1", model: "qwen3-coder:30b" };
  const error = modelError({ code: "no-key" }, place);
  const end = { type: "candidate-end" as const, error: null, left: [] };
  return askedThree().add(
    { ...end, chatId: "chat-model-1", reason: "done", files: [cart, coupon], usage },
    { ...end, chatId: "chat-model-2", reason: "done", files: [cart], left: ["src/old.ts"], usage },
    { ...end, chatId: "chat-model-3", reason: "error", error, files: [] },
    { type: "turn-end", reason: "done", error: null },
  );
}

/** What the two make of the files. */
export const compared: ComparedAnswers[] = [
  {
    ...{ path: "src/cart.ts", whole: null, leftOut: [] },
    rows: [
      {
        ...{ id: "/", part: "outside", paths: [] },
        ...{ effects: ["changed", "same", "same"], sameAs: [0, 1, 1] },
      },
      {
        ...{ id: "/total", part: "element", paths: ["Cart-total"] },
        ...{ effects: ["changed", "changed", "same"], sameAs: [0, 1, 2] },
      },
      {
        ...{ id: "/discount", part: "element", paths: ["Cart-applyDiscountOfCustomerAndSeason"] },
        ...{ effects: ["added", "added", "same"], sameAs: [0, 0, 2] },
      },
    ],
  },
  {
    ...{ path: "src/coupon.ts", whole: "new-file", leftOut: [1] },
    rows: [
      {
        ...{ id: "file", part: "file", paths: [] },
        ...{ effects: ["added", "same", "same"], sameAs: [0, 1, 1] },
      },
    ],
  },
];

/** The turn of {@link answeredByTwo} that asked. */
export function turnOf({ events }: TurnScript): string {
  return events.find(({ type }) => type === "candidates")?.turnId ?? "";
}

/** States of a request to several models. */
export function candidateStates(
  panel: Pick<TestedPanel, "page" | "post" | "snapshot">,
): Readonly<Record<string, () => Promise<unknown>>> {
  return {
    "three models that answer": () =>
      panel.snapshot(askedThree().events, {
        ...readyStatus,
        busy: true,
        chats: [{ chatId: "chat-model-2", title: "gpt-5-mini: Add a discount", state: "waiting" }],
      }),
    "answers to choose from": async () => {
      const answers = answeredByTwo();
      await panel.snapshot(answers.events);
      await panel.post({ type: "compared", turnId: turnOf(answers), files: compared });
      await panel.page
        .getByRole("radio", { name: /gpt-5-mini/ })
        .first()
        .check();
      const problem = { code: "syntax", path: "src/cart.ts", detail: "" } as const;
      await panel.post({ type: "combined", turnId: turnOf(answers), problems: [problem] });
    },
  };
}
