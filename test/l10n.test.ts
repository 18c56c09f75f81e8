import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { FAILURE_SENTENCES } from "../src/model/messages.ts";
import { FILE_SENTENCES } from "../src/ports/messages.ts";
import { REASON_SENTENCES } from "../src/turns/blockMessages.ts";

const root = process.cwd();
const bundleFile = path.join(root, "l10n/bundle.l10n.json");
const readJson = (file: string): unknown =>
  JSON.parse(fs.readFileSync(path.join(root, file), "utf8"));

function sourceFiles(): string[] {
  return ["src", "webview"].flatMap((folder) =>
    fs
      .readdirSync(path.join(root, folder), { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".ts"))
      .map((file) => path.join(root, folder, file)),
  );
}

describe("translations", () => {
  it("find every message in l10n/bundle.l10n.json", () => {
    const messages = new Set<string>([
      ...Object.values(FAILURE_SENTENCES),
      ...Object.values(FILE_SENTENCES),
      ...Object.values(REASON_SENTENCES),
    ]);
    for (const file of sourceFiles()) {
      for (const [, literal, rest] of fs
        .readFileSync(file, "utf8")
        .matchAll(
          /(?<![\w.$])t\(\s*(?:("(?:[^"\\]|\\.)*")|(?!(?:FAILURE|FILE|REASON)_SENTENCES\[)(.*))/g,
        )) {
        assert.ok(
          literal,
          `${path.relative(root, file)} passes t something other than a string in double quotes: ${rest}`,
        );
        messages.add(String(JSON.parse(literal)));
      }
    }
    const bundle = Object.fromEntries([...messages].sort().map((message) => [message, message]));
    const text = `${JSON.stringify(bundle, null, 2)}\n`;
    if (process.env.UPDATE_GOLDEN === "1") fs.writeFileSync(bundleFile, text);
    assert.equal(
      fs.readFileSync(bundleFile, "utf8"),
      text,
      "run with UPDATE_GOLDEN=1 and look at the difference",
    );
  });

  for (const [english, german] of [
    ["l10n/bundle.l10n.json", "l10n/bundle.l10n.de.json"],
    ["package.nls.json", "package.nls.de.json"],
  ] as const) {
    it(`are complete in ${german}, with the same placeholders`, () => {
      const words = (file: string) =>
        new Map(Object.entries(Object(readJson(file))).map(([key, text]) => [key, String(text)]));
      const [texts, translated] = [words(english), words(german)];
      assert.deepEqual([...translated.keys()].sort(), [...texts.keys()].sort());
      const parts = (text = "") => (text.match(/\{\w+\}|command:[\w.]+|`[^`]+`/g) ?? []).sort();
      for (const [key, text] of texts)
        assert.deepEqual(parts(translated.get(key)), parts(text), key);
      for (const [key, text] of translated) assert.notEqual(text.trim(), "", key);
    });
  }

  it("find every text of package.json in package.nls.json", () => {
    const used = JSON.stringify(readJson("package.json")).match(/"%[^"%]+%"/g) ?? [];
    const keys = Object.keys(Object(readJson("package.nls.json")));
    assert.deepEqual(used.map((key) => key.slice(2, -2)).sort(), keys.sort());
  });
});
