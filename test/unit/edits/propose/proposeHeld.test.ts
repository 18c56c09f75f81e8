import assert from "node:assert/strict";
import type { EditBlock } from "../../../../src/turns/editBlock.ts";
import { editBlock, statuses } from "../../../fakes/turns/applyTo.ts";
import { EditTurn } from "../../../fakes/turns/editTurn.ts";
import { answerAll, RecordingReviewer } from "../../../fakes/turns/recordingReviewer.ts";

const A = "src/a.ts";
const TEXT = "function a() {\n  one();\n  two();\n}\nfunction b() {}\n";
const BODY = "function a() {\n  // ... existing code ...\n  three();\n}";
const ELISION = { code: "elision", line: "// ... existing code ..." } as const;

function only(turn: EditTurn): EditBlock {
  const [block] = turn.blocks;
  assert.ok(block);
  return block;
}

const turns: EditTurn[] = [];

function begin(files: Readonly<Record<string, string>>, reviewer?: RecordingReviewer): EditTurn {
  const turn = new EditTurn(files, reviewer);
  turns.push(turn);
  return turn;
}

async function held(address: string, text = TEXT, body = BODY): Promise<EditTurn> {
  const turn = begin({ [A]: text });
  await turn.edit(address === "" ? { file_path: A, complete_file: true } : { file_path: A });
  await turn.say(address === "" ? `\`\`\`ts\n${body}\n\`\`\`\n` : editBlock(address, body));
  return turn;
}

describe("a block that the elision guard holds back", () => {
  afterEach(() => {
    for (const turn of turns.splice(0)) turn.hub.turnEnd();
  });

  for (const address of ["1:4", "ast-path:a", ""]) {
    const name = address === "" ? "a complete file" : address;

    it(`is not part of the proposal, and gives the reason: ${name}`, async () => {
      const turn = await held(address);
      const { status, reason, warnings } = only(turn);
      assert.deepEqual(
        { status, reason, warnings },
        { status: "held", reason: ELISION, warnings: [] },
      );
      assert.equal(turn.proposed, null);
    });

    it(`is proposed with its warning when the user asks for it: ${name}`, async () => {
      const turn = await held(address);
      turn.hub.turnEnd();
      assert.equal(await turn.proposeAnyway(only(turn)), null);
      const expected = address === "" ? `${BODY}\n` : TEXT.replace(/^[\s\S]*?\}/, BODY);
      assert.equal(turn.proposed, expected);
      const gone = { code: "loses-members", path: A, names: ["b"] };
      const expectedWarnings = address === "" ? [ELISION, gone] : [ELISION];
      const proposed = turn.reviewer.reviews.at(-1)?.proposed?.blocks[0];
      assert.deepEqual(proposed?.warnings, expectedWarnings);
      const { status, warnings } = only(turn);
      assert.deepEqual({ status, warnings }, { status: "applied", warnings: expectedWarnings });
      assert.equal(turn.events.filter(({ type }) => type === "change-done").length, 1);
      const report = turn.events.findLast((event) => event.type === "edit-report");
      assert.match(
        report?.text ?? "",
        /^The user asked to see .* anyway, as you wrote it\.\n\nFile 'src\/a\.ts' has been updated\./,
      );
    });
  }

  it("tells the model to write the whole text", async () => {
    const turn = begin({ [A]: TEXT });
    await turn.edit({ file_path: A });
    const [report = ""] = await turn.say(editBlock("1:4", BODY));
    assert.match(
      report,
      /^- lines 1-4 was not proposed: It leaves out code \(`\/\/ \.\.\. existing code \.\.\.`\)\./m,
    );
  });

  it("goes where its path pointed when the model wrote it, even after the numbers shifted", async () => {
    const text =
      "function f(a: 1): 1;\nfunction f(a: 2): 2;\nfunction f(a: any): any {\n  return a;\n}\nfunction f() {}\n";
    const turn = begin({ [A]: text });
    await turn.edit({ file_path: A });
    await turn.say(
      editBlock("ast-path:f:remove") +
        editBlock("ast-path:f#3", "function f(a: any): any {\n  // ... existing code ...\n}"),
    );
    turn.files.set(A, text.replace("function f(a: 1): 1;\n", ""));
    const block = turn.blocks.find(({ status }) => status === "held");
    assert.ok(block);
    assert.equal(await turn.proposeAnyway(block), null);
    assert.equal(
      turn.proposed,
      "function f(a: 2): 2;\nfunction f(a: any): any {\n  // ... existing code ...\n}\nfunction f() {}\n",
    );
  });

  it("waits while other blocks of the message are applied", async () => {
    const turn = begin({ [A]: TEXT });
    await turn.edit({ file_path: A });
    await turn.say(editBlock("1:4", BODY) + editBlock("5:5", "function b() { return 2; }"));
    assert.deepEqual(statuses(turn), ["held", "applied"]);
    assert.equal(turn.proposed, TEXT.replace("b() {}", "b() { return 2; }"));
  });

  it("finds its lines where they are now", async () => {
    const turn = await held("1:4");
    turn.files.set(A, `// mine\n${TEXT}`);
    assert.equal(await turn.proposeAnyway(only(turn)), null);
    assert.equal(turn.proposed, `// mine\n${TEXT.replace(/^[\s\S]*?\}/, BODY)}`);
  });

  it("stays held back where its lines have changed", async () => {
    const turn = await held("1:4");
    turn.files.set(A, TEXT.replace("one", "uno"));
    assert.deepEqual(await turn.proposeAnyway(only(turn)), { code: "file-changed", path: A });
    assert.equal(turn.proposed, null);
    assert.equal(only(turn).status, "held");
    turn.files.set(A, TEXT);
    assert.equal(await turn.proposeAnyway(only(turn)), null);
  });

  it("stays held back where its element is gone", async () => {
    const turn = await held("ast-path:a");
    turn.files.set(A, "function b() {}\n");
    assert.equal((await turn.proposeAnyway(only(turn)))?.code, "no-place");
    assert.equal(only(turn).status, "held");
  });

  it("keeps line ends, the byte order mark and a missing last line break", async () => {
    const file = `\uFEFF${TEXT.replaceAll("\n", "\r\n").replace(/\r\n$/, "")}`;
    const turn = await held("1:4", file);
    assert.equal(await turn.proposeAnyway(only(turn)), null);
    assert.equal(
      turn.proposed,
      `\uFEFF${TEXT.replace(/^[\s\S]*?\}/, BODY)
        .replaceAll("\n", "\r\n")
        .replace(/\r\n$/, "")}`,
    );
  });

  it("is proposed once", async () => {
    const turn = await held("1:4");
    await turn.proposeAnyway(only(turn));
    assert.deepEqual(await turn.proposeAnyway(only(turn)), { code: "forgotten" });
  });

  it("carries every guard's warning", async () => {
    const turn = await held("1:3", "f(\n  1,\n);\n", "f(\n  // ... existing code ...");
    assert.equal(await turn.proposeAnyway(only(turn)), null);
    assert.deepEqual(only(turn).warnings, [ELISION, { code: "syntax" }]);
  });

  it("says what the user decided", async () => {
    const reject = new RecordingReviewer(answerAll("rejected", { code: "rejected-by-user" }));
    const turn = begin({ [A]: TEXT }, reject);
    await turn.edit({ file_path: A });
    await turn.say(editBlock("1:4", BODY));
    await turn.proposeAnyway(only(turn));
    assert.equal(only(turn).status, "rejected");
    assert.equal(turn.events.filter(({ type }) => type === "change-done").length, 0);
    const report = turn.events.findLast((event) => event.type === "edit-report");
    assert.match(
      report?.text ?? "",
      /Nothing was changed in 'src\/a\.ts'\.\n\n- lines 1-4 rejected by the user$/,
    );
  });

  it("takes the model's second try for a complete file", async () => {
    const turn = await held("");
    await turn.say("```ts\nwhole();\n```\n");
    assert.deepEqual(statuses(turn), ["held", "applied"]);
    assert.equal(turn.proposed, "whole();\n");
  });
});
