import assert from "node:assert/strict";
import { pluck } from "../../fakes/pluck.ts";
import { EditTurn } from "../../fakes/turns/editTurn.ts";
import { answerAll, RecordingReviewer } from "../../fakes/turns/recordingReviewer.ts";

const F = "```";
const BODY = "First line.\n\nLast line.";
const PROSE = "\n\nI wrote the file. Now I say more about it,\nand more, without any fence.\n";

describe("a whole file whose closing fence may be text", () => {
  let turn: EditTurn;

  afterEach(() => turn.hub.turnEnd());

  async function begin(path: string, text: string | null): Promise<void> {
    turn = new EditTurn(
      text === null ? {} : { [path]: text },
      new RecordingReviewer(answerAll("pending")),
    );
    await turn.edit({ file_path: path, ...(text !== null && { complete_file: true }) });
    turn.hub.messageStart(1);
  }
  const write = (text: string) => {
    for (const piece of text.split(/(?<=[\n`])/))
      turn.hub.emit(turn.turnId, { type: "text-delta", text: piece });
  };
  const end = () =>
    turn.hub.messageEnd({ reason: "stop", moreCalls: false }, new AbortController().signal);
  /** The complete blocks on record, which a crash leaves. */
  const onRecord = () => {
    const kept = turn.reviewer.reviews.at(-1)?.kept.at(-1);
    return kept && { text: kept.text, blocks: kept.blocks.length };
  };

  for (const [path, tag] of [
    ["notes.txt", "txt"],
    ["notes.txt", ""],
    ["notes.md", "md"],
    ["notes.rst", "rst"],
    ["data.xyz", "xyz"],
    ["notes.ts", "ts"],
  ] as const)
    for (const before of [null, "Old.\nOlder.\nOldest.\nAnd more.\n"])
      it(`is complete and on record at once: ${path}, ${before === null ? "new" : "replaced"}, tag "${tag}"`, async () => {
        await begin(path, before);
        write(`${F}${tag}\n${BODY}\n${F}\n`);
        assert.deepEqual(pluck(turn.blocks, "status"), ["captured"]);
        assert.deepEqual(onRecord(), { text: `${BODY}\n`, blocks: 1 });
        write(PROSE);
        assert.deepEqual(pluck(turn.blocks, "status"), ["captured"]);
        await end();
        assert.deepEqual(pluck(turn.blocks, "status"), ["pending"]);
        assert.equal(turn.proposed, `${BODY}\n`);
      });

  it("is open again, and off the record, where the fence turns out to be text", async () => {
    const body = `Run this:\n${F}\nnpm ci\n${F}\n\nThen go.`;
    await begin("notes.txt", null);
    write(`${F}txt\nRun this:\n${F}\n`);
    assert.deepEqual(onRecord(), { text: "Run this:\n", blocks: 1 });
    write(`npm ci\n${F}\n\nThen go.\n`);
    assert.deepEqual(pluck(turn.blocks, "status"), ["streaming"]);
    assert.deepEqual(onRecord(), { text: "", blocks: 0 });
    write(`${F}\n`);
    await end();
    assert.deepEqual(pluck(turn.blocks, "status"), ["pending"]);
    assert.equal(turn.proposed, `${body}\n`);
  });

  it("is refused where both readings remain", async () => {
    await begin("notes.txt", null);
    write(`${F}txt\nRun:\n${F}\nnpm ci\n${F}\nThen go.\n${F}\n`);
    assert.deepEqual(onRecord()?.blocks, 0);
    await end();
    assert.deepEqual(turn.blocks.map(({ status, reason }) => [status, reason?.code]).at(0), [
      "refused",
      "unclear-end",
    ]);
  });

  it("is held back at once where it leaves text out", async () => {
    await begin("notes.txt", "one\ntwo\nthree\nfour\n");
    write(`${F}txt\none\n... rest of the file unchanged ...\n${F}\n`);
    assert.deepEqual(pluck(turn.blocks, "status"), ["held"]);
  });
});
