import assert from "node:assert/strict";
import type { McpElicitation } from "../../../../src/ports/mcp.ts";
import type { QuestionAnswer } from "../../../../src/ports/question.ts";
import { type AskUser, askElicitation, isSecretName } from "../../../../src/tools/mcp/elicitation/askElicitation.ts";

type Asked = Parameters<AskUser>[0];

const SKIP: QuestionAnswer = { answered: false, reason: "skipped" };
const decline: McpElicitation = { action: "decline" };

function form(properties: object, required: readonly string[] = []) {
  return { message: "Which one?", requestedSchema: { type: "object", properties, required } };
}

/** What a server gets when the user answers so, one entry a question; null skips it. */
async function outcome(request: unknown, answers: readonly (string | readonly string[] | null)[], stop = new AbortController()) {
  const asked: Asked[] = [];
  const given = [...answers];
  const ask: AskUser = async (question) => {
    asked.push(question);
    const answer = given.shift();
    if (answer === undefined) {
      stop.abort();
      return SKIP;
    }
    return answer === null ? SKIP : { answered: true, values: typeof answer === "string" ? [answer] : answer };
  };
  const result = await askElicitation("docs", request, ask, stop.signal);
  assert.deepEqual(given, [], "questions that were never asked");
  return { asked, result: result.ok ? result.value : result.error };
}

describe("a server's question", () => {
  const fields: readonly [string, object, Asked["kind"], readonly string[], string | readonly string[], unknown][] = [
    ["a text", { type: "string" }, "text", [], "Ada", "Ada"],
    ["a number", { type: "number" }, "text", [], " 2.5 ", 2.5],
    ["a whole number", { type: "integer", minimum: 1, maximum: 9 }, "text", [], "7", 7],
    ["yes", { type: "boolean" }, "confirm", [], "yes", true],
    ["no", { type: "boolean" }, "confirm", [], "no", false],
    ["a choice", { type: "string", enum: ["a", "b"] }, "choice", ["a", "b"], "b", "b"],
    [
      "a titled choice, one title twice",
      { type: "string", oneOf: ["x", "y", "z"].map((value) => ({ const: value, title: value === "z" ? "Other" : "Same" })) },
      "choice",
      ["Same (x)", "Same (y)", "Other"],
      "Same (y)",
      "y",
    ],
    [
      "several",
      { type: "array", items: { type: "string", enum: ["a", "b", "c"] } },
      "multi-choice",
      ["a", "b", "c"],
      ["a", "c"],
      ["a", "c"],
    ],
    ["several titled", { type: "array", items: { anyOf: [{ const: "a", title: "A!" }] } }, "multi-choice", ["A!"], ["A!"], ["a"]],
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

  for (const [schema, wrong, why, right] of [
    [{ type: "integer" }, "2.5", "Invalid input: expected int, received number", "2"],
    [{ type: "number" }, "two", "expected a number", "2"],
    [{ type: "number", minimum: 3 }, "1", "Too small: expected number to be >=3", "3"],
    [{ type: "number", maximum: 3 }, "4", "Too big: expected number to be <=3", "3"],
    [{ type: "string", minLength: 3 }, "ab", "Too small: expected string to have >=3 characters", "abc"],
    [{ type: "string", maxLength: 3 }, "abcd", "Too big: expected string to have <=3 characters", "abc"],
    [{ type: "array", minItems: 1, items: { enum: ["a"] } }, [], "Too small: expected array to have >=1 items", ["a"]],
  ] as const) {
    it(`asks again when ${JSON.stringify(wrong)} does not fit ${JSON.stringify(schema)}`, async () => {
      const { asked, result } = await outcome(form({ field: schema }), [wrong, right]);
      assert.equal(typeof result === "object" && result.action, "accept");
      assert.ok(asked[1]?.question.endsWith(`The value does not fit: ${why}.`), asked[1]?.question);
    });
  }

  it("names the server, its message and the field", async () => {
    const { asked } = await outcome(form({ field: { type: "string", title: "Colour", description: "Of the sky" } }), ["blue"]);
    assert.equal(
      asked[0]?.question,
      "The MCP server docs asks: Which one?\nColour: Of the sky\nYour answer goes to the server. Skip to decline.",
    );
  });

  const two = form({ name: { type: "string", title: "Name" }, age: { type: "integer", default: 7 }, note: { type: "string" } }, ["name"]);

  it("confirms several fields before it sends them, without skipped ones or with their defaults", async () => {
    const { asked, result } = await outcome(two, ["Ada", null, null, "Send this"]);
    assert.deepEqual(result, { action: "accept", content: { name: "Ada", age: 7 } });
    assert.equal(asked[3]?.question, "This goes to the MCP server docs:\nName: Ada\nage: 7");
    assert.deepEqual(
      asked.slice(0, 3).map(({ question }) => question.split("\n").at(-1)),
      ["Skip to decline.", "Skip for the default: 7", "Skip to leave it empty."],
    );
  });

  it("lets the user enter several fields again", async () => {
    const { result } = await outcome(two, ["Ada", "1", null, "Enter it again", "Bea", "2", "hi", "Send this"]);
    assert.deepEqual(result, { action: "accept", content: { name: "Bea", age: 2, note: "hi" } });
  });

  for (const [what, request, answers, expected] of [
    ["skips the only question", form({ field: { type: "string", default: "x" } }), [null], decline],
    ["skips what is required", two, [null], decline],
    ["looks at it and sends nothing", two, ["Ada", null, null, "Send nothing"], decline],
    ["does not want to send what he sees", two, ["Ada", null, null, null], decline],
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
    ["a list in a list", form({ field: { type: "array", items: { type: "array" } } }), /cannot ask for the field field/],
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
    const { result } = await outcome(form({ toString: { type: "string" }, b: { type: "string" } }), [null, "x", "Send this"]);
    assert.deepEqual(result, { action: "accept", content: { b: "x" } });
  });
});
