import * as z from "zod/mini";
import { err, ok, type Result } from "../../base/result.ts";
import { parseJson } from "../../base/text/parseJson.ts";
import { blockWarningSchema } from "../../ports/review.ts";
import { MAX_FILE_BYTES } from "../../ports/workspace.ts";

/** The largest file with a shared review that is read, in bytes. */
export const MAX_SHARED_BYTES = 32 * 1024 * 1024;

/** The version that is written, and the only one that is read. */
export const SHARED_VERSION = 1;

const FORMAT = "graft-review";
const MAX_FILES = 2_000;
const MAX_PARTS = 10_000;

const nameSchema = z.string().check(z.minLength(1), z.maxLength(4_096));
const hashSchema = z.string().check(z.regex(/^[0-9a-f]{64}$/));
const fileTextSchema = z.string().check(z.maxLength(MAX_FILE_BYTES));
const countSchema = z.int().check(z.nonnegative(), z.lte(MAX_PARTS));
const rangeSchema = z
  .object({ start: z.int().check(z.nonnegative()), end: z.int() })
  .check(z.refine(({ start, end }) => start <= end));
const rangesSchema = z.array(rangeSchema).check(z.maxLength(MAX_PARTS));

const blockSchema = z.object({
  /** What the chat is called that it is from; "" without. */
  chat: z.string().check(z.maxLength(1_000)),
  /** What it wrote, in UTF-16 offsets of the proposed text. */
  range: rangeSchema,
  warnings: z.array(blockWarningSchema).check(z.maxLength(MAX_PARTS)),
  /** How many of its hunks are decided, and the reasons of those who rejected some. */
  accepted: countSchema,
  rejected: countSchema,
  why: z.array(z.string()).check(z.maxLength(MAX_PARTS)),
});

const fileSchema = z
  .object({
    /** Relative to the workspace. */
    path: nameSchema,
    /** False for a file that is to be created; its base is empty. */
    exists: z.boolean(),
    /** The SHA-256 of the base. */
    hash: hashSchema,
    /** The file's text where the review is from, with what was accepted there. */
    base: fileTextSchema,
    proposed: fileTextSchema,
    blocks: z.array(blockSchema).check(z.maxLength(MAX_PARTS)),
    /** Lines of the base that their user wrote while it was pending. */
    userLines: z.object({ touched: rangesSchema, cuts: rangesSchema }),
  })
  .check(
    z.refine(
      ({ base, proposed, blocks, userLines: { touched, cuts } }) =>
        blocks.every(({ range }) => range.end <= proposed.length) &&
        [...touched, ...cuts].every(({ end }) => end <= base.length),
    ),
  );

const operationSchema = z.object({
  path: nameSchema,
  /** Where the file goes; null to delete it. */
  to: z.nullable(nameSchema),
  /** The SHA-256 of its text; null for one that is no text. */
  hash: z.nullable(hashSchema),
  /** Set where the file stays: whether it can be executed afterwards. */
  executable: z.exactOptional(z.boolean()),
});

const headSchema = z.object({ format: z.literal(FORMAT), version: z.int() });

const shareSchema = z.object({
  format: z.literal(FORMAT),
  version: z.literal(SHARED_VERSION),
  /** What who shares it says about it. */
  comment: z.string().check(z.maxLength(10_000)),
  files: z.array(fileSchema).check(z.maxLength(MAX_FILES)),
  operations: z.array(operationSchema).check(z.maxLength(MAX_FILES)),
});

/** Proposals as one file has them, for another machine. No part of it names a place of this one. */
export type Share = z.infer<typeof shareSchema>;

/** A file of a {@link Share}. */
export type SharedFile = Share["files"][number];

/** Why a file is not read as a shared review. */
export type ShareFault =
  | { readonly code: "not-json" | "not-a-review" }
  | { readonly code: "too-large"; readonly bytes: number }
  | { readonly code: "other-version"; readonly version: number }
  /** `part` names what is not as it must be. */
  | { readonly code: "malformed"; readonly part: string };

/** A shared review of this version, without anything in it. */
export function emptyShare(comment: string): Share {
  return { format: FORMAT, version: SHARED_VERSION, comment, files: [], operations: [] };
}

/** Reads a shared review. That it is well-formed says nothing about its paths. */
export function readShare(text: string): Result<Share, ShareFault> {
  // UTF-16 units are at most as many as bytes.
  if (text.length > MAX_SHARED_BYTES) return err({ code: "too-large", bytes: text.length });
  const json = parseJson(text.replace(/^\uFEFF/, ""));
  if (json === undefined) return err({ code: "not-json" });
  const head = z.safeParse(headSchema, json).data;
  if (!head) return err({ code: "not-a-review" });
  if (head.version !== SHARED_VERSION) return err({ code: "other-version", version: head.version });
  const read = z.safeParse(shareSchema, json);
  if (read.success) return ok(read.data);
  return err({ code: "malformed", part: read.error.issues[0]?.path.join(".") ?? "" });
}
