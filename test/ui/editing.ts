import type { EditBlock } from "../../src/turns/editBlock.ts";
import { TurnScript } from "../fakes/turns/turnScript.ts";

/** A turn with blocks of one file, named by their blocks' ids, with text between them. */
export function editing(
  ...blocks: readonly (Partial<EditBlock> & { readonly blockId: string })[]
): TurnScript {
  const script = new TurnScript().ask("Change");
  let at = 0;
  blocks.forEach((block, index) => {
    const source = "```ts:ast-path:x\nconst a = 1;\n```";
    script.text(source).text(`\nText ${index + 1}\n`);
    const place = { textStart: at, textEnd: at + source.length, index: index + 1 };
    script.edit({
      target: `ast-path:${block.blockId}`,
      status: "pending",
      addedLines: 2,
      removedLines: 1,
      ...place,
      ...block,
    });
    at += source.length + `\nText ${index + 1}\n`.length;
  });
  return script;
}
