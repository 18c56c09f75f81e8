import assert from "node:assert/strict";
import { openaiMessages } from "../../../src/model/openai/openaiMessages.ts";

describe("messages on the wire", () => {
  const args = (argsText: string) => {
    const [message] = openaiMessages([
      { role: "assistant", text: "", toolCalls: [{ callId: "a", name: "f", argsText }] },
    ]);
    const call = message?.role === "assistant" ? message.tool_calls?.[0] : undefined;
    return call?.type === "function" ? call.function.arguments : undefined;
  };

  it("hold arguments exactly as the model wrote them", () =>
    assert.equal(args('{ "b": 1,"a":2 }'), '{ "b": 1,"a":2 }'));

  it("leave out an assistant message that says nothing", () => {
    assert.deepEqual(openaiMessages([{ role: "assistant", text: "", toolCalls: [] }]), []);
  });
});
