import { checkRefused } from "../../../fakes/turns/refusedTurn.ts";

const MESSAGES: readonly (readonly [name: string, message: string])[] = [
  ["a file's name for an address", "```ts:src/six.ts\nTWO();\n```\n"],
  ["an ordinary block", "```ts\nTWO();\n```\n"],
  ["an example inside an ordinary block", "````md\n```ts:2:2\nTWO();\n```\n````\n"],
  ["an address that is indented as code", "    ```ts:2:2\n    TWO();\n    ```\n"],
  ["a space before the colon", "```ts :2:2\nTWO();\n```\n"],
  ["an address in inline code", "Use ```ts:2:2``` for it.\n"],
  ["an address in other words", "```ts lines 2-3\nTWO();\n```\n"],
];

describe("code blocks that are chat", () => {
  for (const [name, message] of MESSAGES) {
    it(`leaves ${name} to the chat`, () =>
      checkRefused({ path: "src/six.ts", text: "one();\ntwo();\n", door: "lines", message, blocks: [] }));
  }
});
