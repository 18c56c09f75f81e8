import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import * as messages from "../../../src/agent/messages.ts";
import * as prompts from "../../../src/agent/request/prompts.ts";

const golden = resolve(import.meta.dirname, "messages.golden.txt");
const tools = ["read_file", "search_in_files", "edit_mode"].map((name) => ({
  name,
  description: "",
  parameters: {},
}));

const texts: readonly (readonly [name: string, text: string])[] = [
  ["chat prompt", prompts.chatPrompt(tools)(["app"], true)],
  [
    "chat prompt without tools, in two untrusted folders",
    prompts.chatPrompt([])(["app", "lib"], false),
  ],
  ["chat prompt with tools as text, without a folder", prompts.textToolsPrompt(tools)([], true)],
  ["calls as text", prompts.textCallPrompt("0123456789ab")],
  ["edit mode prompt", prompts.editModePrompt()],
  ["final summary", prompts.SUM_UP_PROMPT],
  ["answer cut off", prompts.CUT_OFF_PROMPT],
  ["compaction, system", prompts.SUMMARY_SYSTEM_PROMPT],
  ["compaction, request", prompts.SUMMARY_PROMPT],
  ["call not run", JSON.stringify(messages.notRunError("read_file", true))],
  ["call not run, answer complete", JSON.stringify(messages.notRunError("read_file", false))],
  ["tool request dropped", messages.requestDropped("call-1", "no diff")],
  ["tool request dropped after a timeout", messages.requestDropped("call-1", null)],
  ["edit blocks of another maker's agent", messages.AGENT_BLOCKS],
  ["its block without quotes", messages.blockUnproven("3:9", "src/a.ts")],
  ["its blocks for a file, refused", messages.blocksRefused("src/a.ts", "There is no such file.")],
  ["its blocks for too many files", messages.tooManyFiles(50)],
  ["clipped result", messages.clippedResult("1\tfirst line\n", "1\tfirst line\n2\tsecond line\n")],
  ["shortened message", messages.shortenedMessage("begin", 1_200, "end")],
  ["clipped rules", messages.clippedRules("Use tabs.\n", 1_200)],
  ["clipped summary", messages.clippedSummary("The user wants tests ")],
  ["earlier messages omitted", messages.EARLIER_MESSAGES_OMITTED],
];

describe("what the agent tells the model", () => {
  it("is as in messages.golden.txt", () => {
    const actual = texts.map(([name, text]) => `## ${name}\n${text}\n\n`).join("");
    if (process.env.UPDATE_GOLDEN === "1") writeFileSync(golden, actual);
    assert.equal(
      actual,
      readFileSync(golden, "utf8"),
      "run with UPDATE_GOLDEN=1 after looking at the difference",
    );
  });
});
