import assert from "node:assert/strict";
import * as messages from "../../../src/agent/messages.ts";
import * as prompts from "../../../src/agent/request/prompts.ts";
import { assertDistinct, assertSentence, assertText } from "../../fakes/assertMessages.ts";

const names = ["read_file", "search_in_files", "edit_mode"];
const tools = names.map((name) => ({ name, description: "", parameters: {} }));

describe("what the agent tells the model", () => {
  it("names the tools that are offered, and no others", () => {
    assertSentence([prompts.chatPrompt(tools)(["app"], true), ...names]);
    for (const prompt of [prompts.chatPrompt([])(["app"], true), prompts.editModePrompt()]) {
      assertSentence([prompt]);
      for (const name of names) assert.ok(!prompt.includes(name), name);
    }
    const asText = prompts.textToolsPrompt(tools)([], true);
    for (const name of names) assert.ok(asText.includes(`- ${name}: `));
  });

  it("names the folders, and says whether they can be changed", () => {
    const prompt = prompts.chatPrompt(tools);
    assertDistinct([prompt(["app"], true), prompt(["app"], false), prompt([], true)]);
    assertSentence([prompt(["app", "lib"], true), "app, lib"]);
  });

  it("gives calls in text a tag that begins and ends them", () => {
    const tag = "0123456789ab";
    assertText([prompts.textCallPrompt(tag), `<call ${tag} `, `</call ${tag}>`]);
  });

  it("says what was not done, and to call again only where that can help", () => {
    const cutOff = messages.notRunError("read_file", true);
    assertSentence([cutOff.message, "read_file"]);
    assertSentence([cutOff.recovery]);
    assert.equal(messages.notRunError("read_file", false).recovery, null);
    assertSentence([messages.requestDropped("call-1", "no diff"), "call-1", "no diff"]);
    assertSentence([messages.requestDropped("call-1", null), "call-1"]);
    assertText([messages.AGENT_BLOCKS, ":before", ":after", ":append", ":prepend", ":remove"]);
    assertSentence([messages.blockUnproven("3:9", "src/a.ts"), "3:9", "src/a.ts"]);
    assertSentence([messages.blocksRefused("src/a.ts", "It is gone."), "src/a.ts", "It is gone."]);
    assertSentence([messages.tooManyFiles(50), 50]);
  });

  it("keeps the beginning of a clipped text, and says how much is missing", () => {
    assert.match(messages.clippedResult("1\ta\n", "1\ta\n2\tb\n"), /^1\ta\n\[.*\b2 lines.*\]$/);
    assert.match(messages.shortenedMessage("begin", 1_200, "end"), /^begin\n.*1200.*\nend$/);
    assert.match(messages.clippedRules("Use tabs.\n", 1_200), /^Use tabs\.\n\[.*1200.*\]$/);
    assert.match(messages.clippedSummary("They want tests "), /^They want tests \[.+\]$/);
  });
});
