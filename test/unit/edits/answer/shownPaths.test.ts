import assert from "node:assert/strict";
import { editBlock } from "../../../fakes/turns/applyTo.ts";
import { EditTurn } from "../../../fakes/turns/editTurn.ts";

const CSS =
  ".toolbar {\n  color: red;\n}\n\n@media (max-width: 600px) {\n  .toolbar {\n    color: blue;\n  }\n}\n";
const item = (name: string) => `  - name: ${name}\n    run: ${name}\n`;
const YAML = `steps:\n${["one", "two", "three"].map(item).join("")}`;

/**
 * The file, what the user makes of it after the model read it, a block, and its status and reason.
 */
const CASES: readonly (readonly [
  does: string,
  file: string,
  text: string,
  change: (text: string) => string,
  block: string,
  state: string,
])[] = [
  [
    "refuses a path whose rule is gone, though another one ends with it",
    "src/a.css",
    CSS,
    (text) => text.replace(".toolbar", ".bar"),
    editBlock("ast-path:.toolbar", ".toolbar {\n  color: green;\n}"),
    "refused unresolved-path",
  ],
  [
    "takes a path that still names its rule",
    "src/a.css",
    CSS,
    (text) => `.first {\n  top: 0;\n}\n\n${text}`,
    editBlock("ast-path:.toolbar", ".toolbar {\n  color: green;\n}"),
    "applied ",
  ],
  [
    "refuses a number that another item has now, where the body is the old one's",
    "src/a.yml",
    YAML,
    (text) => text.replace(item("one"), ""),
    editBlock("ast-path:steps-item#2", "- name: two\n  run: 2"),
    "refused path-reassigned",
  ],
  [
    "takes a number as the file has it now, where the body is the new one's",
    "src/a.yml",
    YAML,
    (text) => text.replace(item("one"), ""),
    editBlock("ast-path:steps-item#2", "- name: three\n  run: 3"),
    "applied ",
  ],
  [
    "refuses the number of a script that is gone",
    "src/a.html",
    '<head>\n<script src="a.js"></script>\n<script>\n  f();\n</script>\n</head>\n',
    (text) => text.replace('<script src="a.js"></script>\n', ""),
    editBlock("ast-path:head-script#1", '<script src="b.js"></script>'),
    "refused unresolved-path",
  ],
];

describe("a path that the model saw in an earlier text", () => {
  for (const [does, file, text, change, block, state] of CASES) {
    it(does, async () => {
      const turn = new EditTurn({ [file]: text });
      await turn.read(file);
      turn.files.set(file, change(text));
      await turn.edit({ file_path: file });
      await turn.say(block);
      turn.hub.turnEnd();
      assert.deepEqual(
        turn.blocks.map(({ status, reason }) => `${status} ${reason?.code ?? ""}`),
        [state],
      );
    });
  }
});
