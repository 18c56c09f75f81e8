import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import * as z from "zod/mini";
import {
  type AppliedBlock,
  type AppliedMessage,
  applyMessage,
} from "../../../src/edits/propose/applyMessage.ts";
import { missingFile } from "../../../src/ports/workspace.ts";
import { testSyntax as syntax } from "../../fakes/editor/testSyntax.ts";
import { fileSnapshot } from "../../fakes/workspace/fileSnapshot.ts";

const FOLDER = "test/fixtures/edits";

const blockSchema = z.object({
  address: z.string(),
  op: z.string(),
  status: z.string(),
  code: z.exactOptional(z.string()),
  warnings: z.exactOptional(z.array(z.string())),
  adjustments: z.exactOptional(z.array(z.string())),
});

/**
 * `outcome.json`: how the answer is read, what became of each block, and whether the file is what
 * the model meant.
 */
const outcomeSchema = z.object({
  mode: z._default(z.enum(["auto", "lines", "ast", "complete"]), "auto"),
  exact: z.boolean(),
  blocks: z.array(blockSchema),
});
type Outcome = z.infer<typeof outcomeSchema>;

/**
 * A folder of {@link FOLDER}: `answer.md`, and `before` and `after` with the file's extension.
 * Without `before` the file is new.
 */
interface Fixture {
  readonly file: string;
  readonly before: string | null;
  readonly answer: string;
  /** The file that the model meant. */
  readonly after: string;
}

function readFixture(name: string): Fixture {
  const folder = path.join(FOLDER, name);
  const names = fs.readdirSync(folder);
  const text = (file: string | undefined) =>
    file === undefined ? null : fs.readFileSync(path.join(folder, file), "utf8");
  const after = names.find((file) => file.startsWith("after"));
  assert.ok(after !== undefined, `${folder} has no file "after"`);
  const before = text(names.find((file) => file.startsWith("before")));
  return {
    file: `src/${after.replace("after", "file")}`,
    before,
    answer: text("answer.md") ?? "",
    after: text(after) ?? "",
  };
}

function readOutcome(name: string): Outcome | null {
  const file = path.join(FOLDER, name, "outcome.json");
  return fs.existsSync(file)
    ? outcomeSchema.parse(JSON.parse(fs.readFileSync(file, "utf8")))
    : null;
}

function outcomeOf(
  { text, blocks }: AppliedMessage,
  mode: Outcome["mode"],
  after: string,
): Outcome {
  return { mode, exact: text === after, blocks: blocks.map(blockOutcome) };
}

function blockOutcome({
  address,
  op,
  status,
  code,
  warnings,
  adjustments,
}: AppliedBlock): Outcome["blocks"][number] {
  return {
    address,
    op,
    status,
    ...(status !== "applied" && code !== undefined && { code }),
    ...(warnings && { warnings: [...warnings] }),
    ...(adjustments && { adjustments: adjustments.map((adjustment) => adjustment.code) }),
  };
}

describe("answers as models write them", () => {
  const apply = async ({ file, before, answer }: Fixture, mode: Outcome["mode"], chunk: number) => {
    const snapshot = fileSnapshot(file, before ?? "");
    const from = before === null ? missingFile(snapshot.file) : snapshot;
    return applyMessage(from, answer, { mode, chunk }, syntax, new AbortController().signal);
  };

  for (const name of fs.readdirSync(FOLDER)) {
    it(`${name.replaceAll("-", " ")} gives what was meant, or says that it may not`, async () => {
      const fixture = readFixture(name);
      const recorded = readOutcome(name);
      const mode = recorded?.mode ?? "auto";
      const applied = await apply(fixture, mode, Number.MAX_SAFE_INTEGER);
      const outcome = outcomeOf(applied, mode, fixture.after);
      const isSaid =
        outcome.blocks.length === 0 ||
        outcome.blocks.some(
          ({ status, warnings }) => status !== "applied" || warnings !== undefined,
        );
      assert.ok(outcome.exact || isSaid, `wrong without a word:\n${applied.text}`);
      if (process.env.UPDATE_GOLDEN === "1") {
        fs.writeFileSync(
          path.join(FOLDER, name, "outcome.json"),
          `${JSON.stringify(outcome, null, 2)}\n`,
        );
      }
      assert.deepEqual(
        outcome,
        readOutcome(name),
        "run with UPDATE_GOLDEN=1 and look at the difference",
      );
      const inPieces = outcomeOf(await apply(fixture, mode, 3), mode, fixture.after);
      assert.deepEqual(inPieces, outcome, "the result depends on how the text was cut into pieces");
    });
  }
});
