import { readImageHeader } from "../base/imageHeader.ts";
import type { Message, MessageImage } from "./message.ts";

type UserMessage = Message & { readonly role: "user" };

/** A part of a user's message. */
type UserPart =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "image"; readonly mimeType: string; readonly data: Uint8Array };

/**
 * A message as its text, and each image after its name. Images without readable bytes are only
 * named. Adjacent texts are one part.
 */
export function userParts(
  { text, images = [] }: UserMessage,
  bytes: ReadonlyMap<string, Uint8Array> = new Map(),
): readonly UserPart[] {
  const parts: UserPart[] = [];
  let said = text;
  const add = (more: string) => {
    said = said === "" ? more : `${said}\n\n${more}`;
  };
  for (const image of images) {
    const data = bytes.get(image.id);
    const header = data && readImageHeader(data);
    add(imageText(image, header?.ok === true));
    if (data === undefined || !header?.ok) continue;
    const mimeType = `image/${header.value.type}`;
    parts.push({ type: "text", text: said }, { type: "image", mimeType, data });
    said = "";
  }
  return said === "" ? parts : [...parts, { type: "text", text: said }];
}

/** A message whose images are only named. */
export function withoutImages(message: Message): Message {
  if (message.role !== "user" || !message.images) return message;
  return {
    role: "user",
    text: userParts(message)
      .map((part) => (part.type === "text" ? part.text : ""))
      .join(""),
  };
}

/** The name is quoted, because anybody can name a file. */
function imageText({ name, width, height, ofResult }: MessageImage, isShown: boolean): string {
  const what = `${name === "" ? "an image" : `the image ${JSON.stringify(name)}`} (${width} × ${height} pixels)`;
  const whole = `${ofResult ? "The result or answer before has" : "The user attached"} ${what}`;
  return isShown ? `[${whole}:]` : `[${whole}, which you cannot see.]`;
}

/**
 * Estimates an image's tokens: one for each 28 × 28 pixels, as Anthropic counts them
 * (https://platform.claude.com/docs/en/build-with-claude/vision). OpenAI and Google count fewer.
 */
export function imageTokens({ width, height }: Pick<MessageImage, "width" | "height">): number {
  return Math.ceil(width / 28) * Math.ceil(height / 28);
}
