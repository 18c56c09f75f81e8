import * as z from "zod/mini";
import { type GuestTools, guestResultSchema } from "../ports/guest.ts";

/** Another number is another protocol: both sides then know that they do not fit. */
export const GUEST_PROTOCOL = 1;

/** The longest message between a guest and an editor, in UTF-16 units. */
export const MAX_GUEST_MESSAGE = 64_000_000;

/** The first message of a guest: who it is, and what proves that it may. */
export const guestHelloSchema = z.object({
  type: z.literal("hello"),
  protocol: z.literal(GUEST_PROTOCOL),
  token: z.string(),
  /** Stands for the guest as long as its process lives, over every connection. */
  guest: z.string().check(z.regex(/^guest-[\w-]{1,64}$/)),
  /** The agent's name for users. */
  name: z.string().check(z.maxLength(200)),
  /** The guest's process, see `HostIdentity`. */
  process: z.string().check(z.maxLength(500)),
});

/** See {@link guestHelloSchema}. */
export type GuestHello = z.infer<typeof guestHelloSchema>;

/** A later message of a guest, a line of JSON. */
export const guestRequestSchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("call"), id: z.int(), tool: z.string(), arguments: z.unknown() }),
  z.object({ type: z.literal("cancel"), id: z.int() }),
]);

/** See {@link guestRequestSchema}. */
export type GuestRequest = z.infer<typeof guestRequestSchema>;

/** A message of an editor, a line of JSON. */
export const editorMessageSchema = z.discriminatedUnion("type", [
  /** `holds` where the workspace's proposals are in this window. */
  z.object({ type: z.literal("welcome"), holds: z.boolean() }),
  z.object({ type: z.literal("result"), id: z.int(), result: guestResultSchema }),
]);

/** See {@link editorMessageSchema}. */
export type EditorMessage = z.infer<typeof editorMessageSchema>;

/** What a guest finds in an editor. */
export interface GuestWelcome {
  /** True where the workspace's proposals are in this window. */
  readonly holds: boolean;
  readonly tools: Pick<GuestTools, "call">;
  /** The guest is gone. */
  left(): void;
}
