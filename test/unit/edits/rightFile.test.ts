import assert from "node:assert/strict";
import { EditTurn } from "../../fakes/turns/editTurn.ts";

const CART = "src/cart.ts";
const CART_TEXT = "export class Cart {\n  add() {\n    return 1;\n  }\n\n  clear() {}\n}\n";
const SHOP = "src/shop.ts";
const SHOP_TEXT = "export class Shop {\n  open() {\n    return 2;\n  }\n}\n";
const TAX = "tools/tax.py";
const TAX_TEXT = "def rate():\n    return 1\n\n\ndef add():\n    return 2\n";
const NOTES = "README.md";
const NOTES_TEXT = "# Shop\n\nText.\n";

/**
 * A message while several files are in edit mode: the files in the order of their activation, and
 * the state of each block with its file.
 */
type Case = readonly [
  name: string,
  files: readonly string[],
  message: string,
  blocks: readonly string[],
];

const CASES: readonly Case[] = [
  [
    "by its name",
    [CART, SHOP],
    `\`\`\`ts:3:3 ${CART}\n    return 9;\n\`\`\`\n`,
    [`applied ${CART}`],
  ],
  [
    "by the line above",
    [CART, SHOP],
    `**${CART}**\n\n\`\`\`ts:3:3\n    return 9;\n\`\`\`\n`,
    [`applied ${CART}`],
  ],
  [
    "by its name above without folders",
    [CART, SHOP],
    "### cart.ts\n```ts:3:3\n    return 9;\n```\n",
    [`applied ${CART}`],
  ],
  ...["Now cart.ts:", `First \`${CART}\`:`, `And then, in ${CART}:`, `2. Update \`cart.ts\``].map(
    (line): Case => [
      `by the line above that leads over to it: ${line}`,
      [CART, SHOP],
      `${line}\n\n\`\`\`ts:3:3\n    return 9;\n\`\`\`\n`,
      [`applied ${CART}`],
    ],
  ),
  [
    "to none by a line that speaks of another file",
    [CART, SHOP],
    "Unlike cart.ts, this one:\n```ts:3:3\n    return 9;\n```\n",
    [`refused file-needed ${SHOP}`],
  ],
  [
    "by its checks",
    [CART, SHOP],
    '```ts:3:3 "return 1"\n    return 9;\n```\n',
    [`applied ${CART}`],
  ],
  ["by its element", [CART, SHOP], "```ts:ast-path:Cart-clear:remove\n```\n", [`applied ${CART}`]],
  [
    "by the element around its lines",
    [CART, SHOP],
    "```ts:ast-path:Cart-add:3:3\n    return 9;\n```\n",
    [`applied ${CART}`],
  ],
  [
    "by lines that only one file has",
    [CART, SHOP],
    "```ts:7:7\n}\n\nexport const cart = new Cart();\n```\n",
    [`applied ${CART}`],
  ],
  ["by its language", [CART, TAX], "```ts:3:3\n    return 9;\n```\n", [`applied ${CART}`]],
  [
    "to none where several fit",
    [CART, SHOP],
    "```ts:3:3\n    return 9;\n```\n",
    [`refused file-needed ${SHOP}`],
  ],
  [
    "to none where no checks fit",
    [CART, SHOP],
    '```ts:3:3 "return 7"\n    return 9;\n```\n',
    [`refused file-needed ${SHOP}`],
  ],
  [
    "to none where no element fits",
    [CART, SHOP],
    "```ts:ast-path:gone\nx\n```\n",
    [`refused file-needed ${SHOP}`],
  ],
  [
    "to none by a language that is only an example's",
    [CART, NOTES],
    "```ts:1:1\nx();\n```\n",
    [`refused file-needed ${NOTES}`],
  ],
  [
    "to none that is not in edit mode",
    [CART, SHOP],
    "`src/other.ts`\n```ts:3:3\n    return 9;\n```\n",
    [`refused not-in-edit-mode ${SHOP}`],
  ],
  [
    "each to its own",
    [CART, SHOP, TAX],
    `\`\`\`ts:3:3 ${CART}\n    return 9;\n\`\`\`\n\n\`\`\`py:ast-path:add\ndef add():\n    return 3\n\`\`\`\n\n\`\`\`ts:ast-path:Shop-open:3:3 "return 2"\n    return 8;\n\`\`\`\n`,
    [`applied ${CART}`, `applied ${TAX}`, `applied ${SHOP}`],
  ],
  [
    "by the files' names in a list of steps, but not by a list's last item",
    [CART, SHOP],
    `1. \`${CART}\`\n   \`\`\`ts:3:3\n   ${"    return 9;"}\n   \`\`\`\n\nThen both:\n- ${CART}\n- ${SHOP}\n\n\`\`\`ts:2:2\nx\n\`\`\`\n`,
    [`applied ${CART}`, `refused file-needed ${SHOP}`],
  ],
];

describe("while several files are in edit mode, a block goes", () => {
  for (const [name, files, message, blocks] of CASES) {
    for (const chunk of [1, 6, 10_000]) {
      it(`${name}, in pieces of ${chunk}`, async () => {
        const turn = new EditTurn({
          [CART]: CART_TEXT,
          [SHOP]: SHOP_TEXT,
          [TAX]: TAX_TEXT,
          [NOTES]: NOTES_TEXT,
        });
        for (const file of files) {
          await turn.read(file);
          await turn.edit({ file_path: file });
        }
        await turn.say(message, undefined, chunk);
        const states = turn.blocks.map(({ status, reason, path }) =>
          [status, reason?.code, path].filter((part) => part).join(" "),
        );
        assert.deepEqual([...states].sort(), [...blocks].sort());
        turn.hub.turnEnd();
      });
    }
  }

  it("after another file's session has ended, to the file that is left", async () => {
    const turn = new EditTurn({ [CART]: CART_TEXT, [SHOP]: SHOP_TEXT });
    for (const file of [CART, SHOP]) await turn.edit({ file_path: file, use_line_numbers: true });
    await turn.say(`\`\`\`ts:3:3 ${SHOP}\n    return 8;\n\`\`\`\n`, {
      reason: "tool-calls",
      moreCalls: true,
    });
    await turn.say("```ts:3:3\n    return 9;\n```\n");
    assert.deepEqual(
      turn.blocks.map(({ path, status }) => `${status} ${path}`),
      [`applied ${SHOP}`, `applied ${CART}`],
    );
  });

  it("to the right one, in a session that was opened while an older one waits", async () => {
    const turn = new EditTurn({ [CART]: CART_TEXT, [SHOP]: SHOP_TEXT });
    await turn.edit({ file_path: CART, use_line_numbers: true });
    await turn.say("Let me look at the other one.", { reason: "tool-calls", moreCalls: true });
    const reply = await turn.edit({ file_path: SHOP, use_line_numbers: true });
    assert.match(reply, /Still in edit mode: src\/cart\.ts/);
    assert.match(reply, /^```ts:3:9 "const total" "return" src\/shop\.ts$/m);
    const [, report = ""] = await turn.say(
      '```ts:3:3 "return 1"\n    return 9;\n```\n\n```ts:1:1\nx\n```\n',
    );
    assert.deepEqual(
      turn.blocks.map(({ path, status }) => `${status} ${path}`),
      [`applied ${CART}`, `refused ${SHOP}`],
    );
    assert.match(report, /^There was a problem applying the changes\..*'src\/shop\.ts'/);
    assert.match(report, /`src\/cart\.ts`, `src\/shop\.ts`/);
    turn.hub.turnEnd();
  });

  it("without a name as long as only one file is in edit mode", async () => {
    const turn = new EditTurn({ [CART]: CART_TEXT });
    const reply = await turn.edit({ file_path: CART });
    assert.doesNotMatch(reply, /```\S+ .*src\/cart\.ts|Still in edit mode/);
    turn.hub.turnEnd();
  });
});

describe("whole files that are asked for together", () => {
  const CONFIG = "config.yml";
  const MAIN = "src/main.py";

  async function blocksOf(
    files: readonly string[],
    message: string,
    chunk: number,
  ): Promise<readonly string[]> {
    const turn = new EditTurn({});
    for (const file of files) await turn.edit({ file_path: file });
    await turn.say(message, undefined, chunk);
    turn.hub.turnEnd();
    return turn.blocks
      .map(({ status, reason, path }) =>
        [status, reason?.code, path].filter((part) => part).join(" "),
      )
      .sort();
  }

  for (const chunk of [1, 10_000]) {
    it(`each take the block of their language, in pieces of ${chunk}`, async () => {
      const message = "```sh\nmkdir src\n```\n```py\nx = 1\n```\nand\n```yaml\na: 1\n```\n";
      assert.deepEqual(await blocksOf([MAIN, CONFIG], message, chunk), [
        `applied ${CONFIG}`,
        `applied ${MAIN}`,
      ]);
      assert.deepEqual(await blocksOf([CONFIG, MAIN], message, chunk), [
        `applied ${CONFIG}`,
        `applied ${MAIN}`,
      ]);
    });

    it(`take the block that names them, in pieces of ${chunk}`, async () => {
      const message = "**src/b.ts**\n```ts\nb();\n```\n\n```ts src/a.ts\na();\n```\n";
      assert.deepEqual(await blocksOf(["src/a.ts", "src/b.ts"], message, chunk), [
        "applied src/a.ts",
        "applied src/b.ts",
      ]);
    });

    it(`take none that fits two of them, in pieces of ${chunk}`, async () => {
      const blocks = await blocksOf(["src/a.ts", "src/b.ts"], "```ts\nb();\n```\n", chunk);
      assert.deepEqual(blocks, ["refused file-needed src/b.ts"]);
    });
  }
});
