import assert from "node:assert/strict";
import type { McpElicitation } from "../../../../src/ports/mcp.ts";
import type { QuestionAnswer } from "../../../../src/ports/question.ts";
import { type AskUser, askElicitation, isSecretName } from "../../../../src/tools/mcp/askElicitation.ts";

type Asked = Parameters<AskUser>[0];

const SKIP: QuestionAnswer = { answered: false, why: "skipped" };
const decline: McpElicitation = { action: "decline" };

function form(properties: object, required: readonly string[] = []) {
  return { message: "Which one?", requestedSchema: { type: "object", properties, required } };
}

/** What a server gets when the user answers so, one entry a question; null skips it. */
async function outcome(request: unknown, answers: readonly (string | null)[]) {
  const stop = new AbortController();
  const asked: Asked[] = [];
  const given = [...answers];
  const ask: AskUser = async (question) => {
    asked.push(question);
    const answer = given.shift();
    if (answer === undefined) stop.abort();
    return typeof answer === "string" ? { answered: true, values: [answer] } : SKIP;
  };
  const result = await askElicitation("docs", request, ask, stop.signal);
  assert.deepEqual(given, [], "questions that were never asked");
  return { asked, result: result.ok ? result.value : result.error };
}

describe("a server's question", () => {
  const fields: readonly [string, object, Asked["kind"], readonly string[], string, unknown][] = [
    ["a text", { type: "string" }, "text", [], "Ada", "Ada"],
    ["a number", { type: "number" }, "text", [], " 2.5 ", 2.5],
    ["a whole number", { type: "integer", minimum: 1, maximum: 9 }, "text", [], "7", 7],
    ["yes", { type: "boolean" }, "confirm", [], "yes", true],
    ["no", { type: "boolean" }, "confirm", [], "no", false],
    ["a choice", { type: "string", enum: ["a", "b"] }, "choice", ["a", "b"], "b", "b"],
    ["a titled choice", { type: "string", oneOf: [{ const: "x", title: "An X" }] }, "choice", ["x"], "x", "x"],
  ];
  for (const [what, schema, kind, options, answer, value] of fields) {
    it(`takes ${what}`, async () => {
      const { asked, result } = await outcome(form({ field: schema }), [answer]);
      assert.deepEqual(result, { action: "accept", content: { field: value } });
      assert.deepEqual(
        asked.map((each) => [each.kind, each.options]),
        [[kind, options]],
      );
    });
  }

  it("tells the server that a number is none", async () => {
    for (const wrong of ["two", " "]) {
      assert.equal((await outcome(form({ age: { type: "number" } }), [wrong])).result, "The user entered no number for age.");
    }
  });

  it("names the server, its message and the field", async () => {
    const { asked } = await outcome(form({ field: { type: "string", title: "Colour", description: "Of the sky" } }), ["blue"]);
    assert.equal(
      asked[0]?.question,
      "The MCP server docs asks: Which one?\nColour: Of the sky\nYour answer goes to the server. Skip to decline.",
    );
  });

  const two = form({ name: { type: "string", title: "Name" }, age: { type: "integer" }, note: { type: "string" } }, ["name"]);

  it("confirms several fields before it sends them, without skipped ones", async () => {
    const { asked, result } = await outcome(two, ["Ada", "7", null, "yes"]);
    assert.deepEqual(result, { action: "accept", content: { name: "Ada", age: 7 } });
    assert.equal(asked[3]?.question, "This goes to the MCP server docs:\nname: Ada\nage: 7");
    assert.deepEqual(
      asked.slice(0, 3).map(({ question }) => question.split("\n").at(-1)),
      ["Your answer goes to the server. Skip to decline.", "Skip to leave it empty.", "Skip to leave it empty."],
    );
  });

  for (const [what, request, answers, expected] of [
    ["skips the only question", form({ field: { type: "string" } }), [null], decline],
    ["skips what is required", two, [null], decline],
    ["looks at it and sends nothing", two, ["Ada", null, null, "no"], decline],
    ["skips the confirmation", two, ["Ada", null, null, null], decline],
    ["says no to a plain question", form({}), ["no"], decline],
    ["says yes to a plain question", form({}), ["yes"], { action: "accept", content: {} }],
    ["stops the turn at the first field", two, [], { action: "cancel" }],
    ["stops the turn at the last step", two, ["Ada", null, null], { action: "cancel" }],
  ] as const) {
    it(`returns "${expected.action}" when the user ${what}`, async () => {
      assert.deepEqual((await outcome(request, answers)).result, expected);
    });
  }

  for (const [what, request, why] of [
    ["a password", form({ password: { type: "string" } }), /does not ask the user for secrets such as password/],
    ["what is titled as a secret", form({ field: { type: "string", title: "API key" } }), /secrets such as field/],
    ["a list", form({ field: { type: "array", items: { type: "string", enum: ["a"] } } }), /cannot ask for the field field/],
    ["an object", form({ field: { type: "object" } }), /cannot ask for the field field/],
    ["no form at all", { mode: "url", url: "https://example.com" }, /only forms with up to 20 fields/],
    ["too much", form(Object.fromEntries(Array.from({ length: 21 }, (_, index) => [`f${index}`, { type: "string" }]))), /up to 20 fields/],
  ] as const) {
    it(`refuses to ask for ${what}`, async () => {
      const { asked, result } = await outcome(request, []);
      assert.match(String(result), why);
      assert.deepEqual(asked, []);
    });
  }

  it("recognizes secrets by their names", () => {
    for (const name of ["password", "userPassword", "API_KEY", "api-key", "githubToken", "clientSecret", "PIN"])
      assert.ok(isSecretName(name), name);
    for (const name of ["maxTokens", "keyboard", "secretary", "spinner", "pinned", "name"]) assert.ok(!isSecretName(name), name);
  });

  it("accepts field names such as toString", async () => {
    const { result } = await outcome(form({ toString: { type: "string" }, b: { type: "string" } }), [null, "x", "yes"]);
    assert.deepEqual(result, { action: "accept", content: { b: "x" } });
  });
});
