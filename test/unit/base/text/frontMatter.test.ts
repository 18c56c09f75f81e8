import assert from "node:assert/strict";
import { fieldList, fieldText, readFrontMatter } from "../../../../src/base/text/frontMatter.ts";

describe("front matter", () => {
  const good = [
    { it: "a plain text", text: "---\nname: Reviewer\n---\nBody", name: "Reviewer" },
    { it: "a quoted text", text: '---\nname: "A: b"\n---\nBody', name: "A: b" },
    { it: "a folded text", text: "---\nname: >-\n  One\n  two\n---\nBody", name: "One two" },
    {
      it: "comments and nested settings",
      text: "---\n# x\nhooks:\n  a: b\nname: N\n---\nBody",
      name: "N",
    },
    { it: "lines that end in CRLF", text: "---\r\nname: N\r\n---\r\nBody", name: "N" },
    { it: "no front matter", text: "Body", name: null },
    { it: "an empty field", text: "---\nname:\n---\nBody", name: null },
  ];
  for (const { it: what, text, name } of good) {
    it(`reads ${what}`, () => {
      const read = readFrontMatter(text);
      assert.ok(read);
      assert.equal(fieldText(read, "name"), name);
      assert.equal(read.body, "Body");
    });
  }

  const lists = ["Read, Grep", "[Read, 'Grep']", "\n  - Read\n  - Grep", "\n- Read\n- Grep"];
  for (const list of lists) {
    it(`reads the list ${JSON.stringify(list)}`, () => {
      const read = readFrontMatter(`---\ntools: ${list}\n---\n`);
      assert.deepEqual(read && fieldList(read, "tools"), ["Read", "Grep"]);
    });
  }

  const broken = [
    "---\nname: N\n",
    "---\nname N\n---\n",
    "---\ntools: [a, b\n---\n",
    '---\nname: "N\n---\n',
    "---\n- a\n---\n",
  ];
  for (const text of broken) {
    it(`refuses ${JSON.stringify(text)}`, () => assert.equal(readFrontMatter(text), null));
  }
});
