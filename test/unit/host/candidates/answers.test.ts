import assert from "node:assert/strict";
import type { Chat } from "../../../../src/agent/chat/chat.ts";
import { english } from "../../../../src/base/localize.ts";
import { type Answers, openAnswers } from "../../../../src/host/candidates/answers.ts";
import { createNodeWorkspace } from "../../../../src/node/files/nodeWorkspace.ts";
import type { CandidateFile } from "../../../../src/turns/candidates/candidateEvents.ts";
import type { TurnCandidate } from "../../../../src/turns/turn.ts";
import { applyTurnEvent, emptyTree } from "../../../../src/turns/turnReducer.ts";
import { testSyntax } from "../../../fakes/editor/testSyntax.ts";
import { TurnScript } from "../../../fakes/turns/turnScript.ts";
import { type TempFolder, tempFolder } from "../../../fakes/workspace/tempFolder.ts";

const SOURCE = "function one() {\n  return 1;\n}\n\nfunction two() {\n  return 2;\n}\n";
const NEVER = new AbortController().signal;

const candidate = (model: string, ...files: CandidateFile[]): TurnCandidate => ({
  ...{ chatId: `chat-${model}`, model },
  end: { chatId: `chat-${model}`, reason: "done", error: null, files, left: [] },
});
const made = (text: string | null, path = "a.ts", base: string | null = SOURCE) => ({
  ...{ path, base, text },
});
const first = candidate("first", made(SOURCE.replace("1;", "10;").replace("2;", "20;")));
const second = candidate("second", made(SOURCE.replace("2;", "22;")), made("new\n", "b.txt", null));

describe("answers of several models", () => {
  let folder: TempFolder;
  let answers: Answers;
  let shown: unknown[][];
  let checked: string[];
  /** The files of each combination that a chat was to propose. */
  let proposed: (readonly CandidateFile[])[];

  beforeEach(async () => {
    folder = await tempFolder({ "a.ts": SOURCE });
    [shown, checked, proposed] = [[], [], []];
    answers = openAnswers({
      ...{ workspace: await createNodeWorkspace(folder.root), syntax: testSyntax, t: english },
      diffs: { show: async ({ path }, ...rest) => void shown.push([path, ...rest]) },
      own: async () => undefined,
      proposed: (chatId) => checked.push(chatId),
    });
  });
  afterEach(() => folder.remove());

  type Refused = Awaited<ReturnType<Chat["proposeCombination"]>>;
  /** A chat whose turn these models answered. */
  const chatWith = (candidates: readonly TurnCandidate[], busy = false, refused: Refused = []) => {
    const tree = emptyTree();
    const named = candidates.map(({ chatId, model }) => ({ chatId, model }));
    const script = new TurnScript().ask("Change it").add({ type: "candidates", candidates: named });
    for (const { end } of candidates) if (end) script.add({ type: "candidate-end", ...end });
    for (const event of script.events) applyTurnEvent(tree, event);
    return {
      ...{ chatId: "chat-1", busy, tree },
      proposeCombination: async (_: string, files: readonly CandidateFile[]) => {
        proposed.push(files);
        return refused;
      },
    };
  };
  const propose = (chat: ReturnType<typeof chatWith>, choices: Parameters<Answers["propose"]>[2]) =>
    answers.propose(chat, chat.tree.headTurnId ?? "", choices);
  const rowOf = async (name: string, path = "a.ts") => {
    const files = await answers.compare([first, second], NEVER);
    const rows = files.find((file) => file.path === path)?.rows ?? [];
    const row = rows.find(({ paths, part }) => paths.includes(name) || part === name);
    return row?.id ?? "";
  };

  it("are compared by element, without their texts", async () => {
    const files = await answers.compare([first, second], NEVER);
    assert.deepEqual(
      files.map(({ path, whole, rows }) => [
        path,
        whole,
        rows.map(({ paths, effects }) => [paths, effects]),
      ]),
      [
        [
          ...["a.ts", null],
          [
            [["one"], ["changed", "same"]],
            [["two"], ["changed", "changed"]],
          ],
        ],
        ["b.txt", "new-file", [[[], ["same", "added"]]]],
      ],
    );
    assert.ok(!JSON.stringify(files).includes("return"));
  });

  it("are proposed as chosen, and then checked", async () => {
    const choices = [
      { path: "a.ts", row: await rowOf("one"), candidate: 0 },
      { path: "a.ts", row: await rowOf("two"), candidate: 1 },
    ];
    assert.deepEqual(await propose(chatWith([first, second]), choices), []);
    const text = SOURCE.replace("1;", "10;").replace("2;", "22;");
    assert.deepEqual(proposed, [[{ path: "a.ts", base: SOURCE, text }]]);
    assert.deepEqual(checked, ["chat-1"]);
  });

  it("are not proposed while a turn runs, nor where nothing known is chosen", async () => {
    const row = await rowOf("one");
    const codes = async (...given: Parameters<typeof propose>) =>
      (await propose(...given)).map(({ code }) => code);
    const own = [{ path: "a.ts", row, candidate: 0 }];
    assert.deepEqual(await codes(chatWith([first, second], true), own), ["busy"]);
    assert.deepEqual(await codes(chatWith([first, second]), []), ["nothing"]);
    for (const wrong of [
      { path: "a.ts", row, candidate: 7 },
      { path: "a.ts", row, candidate: -1 },
      { path: "a.ts", row: "none", candidate: 0 },
      { path: "other.ts", row, candidate: 0 },
    ])
      assert.deepEqual(await codes(chatWith([first, second]), [wrong]), ["nothing"]);
    assert.deepEqual(await codes(chatWith([]), own), ["nothing"]);
    assert.deepEqual(proposed, []);
    assert.deepEqual(checked, []);
  });

  it("say what met later changes, and check nothing where nothing was proposed", async () => {
    const error = { code: "changed-meanwhile", path: "a.ts" } as const;
    const chat = chatWith([first, second], false, [{ path: "a.ts", error }]);
    const choices = [{ path: "a.ts", row: await rowOf("one"), candidate: 0 }];
    const [problem, ...others] = await propose(chat, choices);
    assert.deepEqual([problem?.code, problem?.path, others], ["changed-meanwhile", "a.ts", []]);
    assert.deepEqual(checked, []);
  });

  it("are shown beside the file as it is now, with what the user changed since", async () => {
    await folder.write("a.ts", SOURCE.replace("return 1;", "return 1 + 1;"));
    await answers.show(second, "a.ts");
    await answers.show(second, "b.txt");
    await answers.show(candidate("deletes", made(null)), "a.ts");
    await answers.show(second, "nowhere.ts");
    const merged = SOURCE.replace("return 1;", "return 1 + 1;").replace("2;", "22;");
    assert.deepEqual(
      shown.map((each) => each.slice(0, 3)),
      [
        ["a.ts", true, merged],
        ["b.txt", false, "new\n"],
        ["a.ts", true, null],
      ],
    );
  });
});
