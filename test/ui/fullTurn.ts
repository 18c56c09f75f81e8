import { TurnScript } from "../fakes/turns/turnScript.ts";

/** An edit block as the model writes it. */
export const block = "```ts:3:4\nexport function area(shape: Shape): number {\n  return 1;\n}\n```";

/** A turn with reasoning, a tool call, Markdown and an edit block. */
export function fullTurn(): TurnScript {
  const intro = "I read the file.\n\n- one\n- two\n\n";
  const script = new TurnScript().ask("Change area()");
  script.add(
    { type: "reasoning-delta", text: "First read " },
    { type: "reasoning-delta", text: "the file." },
  );
  script.call(
    "call-0",
    "read_file",
    { file_path: "src/shapes.ts" },
    "src/shapes.ts (lines 1-9 of 9)",
    12,
  );
  script.add({ type: "step-start", step: 1 });
  script.text(intro, 3);
  for (let at = 0; at < block.length; at += 4) {
    script.text(block.slice(at, at + 4));
    if (at >= 12)
      script.edit({ step: 1, textStart: intro.length, addedLines: Math.floor(at / 20) });
  }
  script.edit({
    step: 1,
    textStart: intro.length,
    textEnd: intro.length + block.length,
    status: "pending",
    addedLines: 3,
    removedLines: 2,
  });
  script.text("\n\nDone:\n\n```js\nconst a = 1;\n```\nSee `area`.", 5);
  return script;
}
