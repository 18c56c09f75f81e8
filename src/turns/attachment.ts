import * as z from "zod/mini";

/** Attachments a message may have. */
export const MAX_ATTACHMENTS = 20;
/** UTF-16 units of one attachment that the model sees. */
export const MAX_ATTACHED_TEXT = 48_000;
/** UTF-16 units of a text that is read from no place, such as pasted text. */
export const MAX_GIVEN_TEXT = 1_000_000;

/** UTF-16 units of a symbol's name; one with more cannot be attached. */
export const MAX_NAME = 1_000;
/**
 * Pixels of an image's longer side. Larger ones are scaled down: many models do the same
 * (https://platform.claude.com/docs/en/build-with-claude/vision).
 */
export const MAX_IMAGE_SIDE = 1_568;
/** UTF-16 units of the preview of an image. */
const MAX_PREVIEW = 24_000;

/** Lines of a file, 1-based and inclusive. */
export const spanSchema = z.object({ first: z.int(), last: z.int() });

/** A small picture, as a data URL. */
export const previewSchema = z
  .string()
  .check(z.maxLength(MAX_PREVIEW), z.regex(/^data:image\/(png|jpeg);base64,[A-Za-z0-9+/]*={0,2}$/));

/**
 * A stored image. Its bytes are no part of a chat's events, which only show a small preview of it.
 */
const imageSchema = z.object({
  /** See `ImageStore`. */
  id: z.string().check(z.regex(/^[0-9a-f]{64}\.(png|jpeg)$/)),
  width: z.int().check(z.minimum(1), z.maximum(100_000)),
  height: z.int().check(z.minimum(1), z.maximum(100_000)),
  preview: previewSchema,
});

const refFields = {
  kind: z.enum([
    "file",
    "folder",
    "symbol",
    "selection",
    "problems",
    "changes",
    "editors",
    "hunk",
    "terminal",
    "paste",
    "image",
    "url",
  ]),
  /** Workspace-relative; null for what is no file or folder. */
  path: z.nullable(z.string().check(z.maxLength(4_096))),
  /** The lines of `path`, 1-based and inclusive; null for all. */
  lines: z.nullable(spanSchema),
  /** A symbol's name, that of an image's file, or a page's address; else "". */
  name: z.string().check(z.maxLength(MAX_NAME)),
  /** For an image, once it is stored. */
  image: z.optional(imageSchema),
};

/**
 * What the user attached; `text` is the text itself where it is read from no place: pasted, or a
 * terminal's.
 */
export const attachmentRefSchema = z.object({
  ...refFields,
  text: z.nullable(z.string().check(z.maxLength(MAX_GIVEN_TEXT))),
});

/** The refs of one message. */
export const attachmentRefsSchema = z
  .array(attachmentRefSchema)
  .check(z.maxLength(MAX_ATTACHMENTS));

/**
 * An attachment as the model saw it; `text` is null for what could not be read, and for an image,
 * which then has `image`.
 */
export const attachmentSchema = z.object({
  ...refFields,
  text: z.nullable(z.string()),
  /** UTF-16 units of the text that the model did not see. */
  omitted: z.int(),
  /** The lines of `path` that `text` shows; absent where it shows none. */
  view: z.optional(z.object({ first: z.int(), last: z.int(), total: z.int() })),
});

/** What the user attached to a message. */
export type AttachmentRef = z.infer<typeof attachmentRefSchema>;
/** What was attached to a message, as the model saw it. */
export type Attachment = z.infer<typeof attachmentSchema>;

/** What is stored of an image. */
export type AttachedImage = z.infer<typeof imageSchema>;

/** Equal for refs to the same thing. */
export function refKey({ kind, path, lines, name, text, image }: AttachmentRef): string {
  return JSON.stringify([kind, path, lines && [lines.first, lines.last], name, text, image?.id]);
}

/** What an attachment was made of. */
export function refOf({ kind, path, lines, name, text, image }: Attachment): AttachmentRef {
  return { kind, path, lines, name, text: isGiven(kind) ? text : null, ...(image && { image }) };
}

/** True for an attachment that the model could not see. */
export function isUnreadable({ text, image }: Attachment): boolean {
  return text === null && image === undefined;
}

/**
 * True for the name of a file that is attached as an image, or refused as one. An SVG file is a
 * text.
 */
export function namesImage(path: string): boolean {
  return /\.(png|jpe?g|gif|webp|bmp|ico|avif|hei[cf]|tiff?)$/i.test(path);
}

/** True for a text that exists nowhere else. */
export function isGiven(kind: AttachmentRef["kind"]): boolean {
  return kind === "paste" || kind === "terminal";
}
