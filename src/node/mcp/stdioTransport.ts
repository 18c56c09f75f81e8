import type { Readable, Writable } from "node:stream";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import {
  ErrorCode,
  type JSONRPCMessage,
  JSONRPCMessageSchema,
} from "@modelcontextprotocol/sdk/types.js";
import { LineBuffer } from "../../base/text/lineBuffer.ts";
import { parseJson } from "../../base/text/parseJson.ts";

/** The longest message, in UTF-16 units. */
const MAX_MESSAGE = 64_000_000;

/**
 * A transport over the streams of this process: one JSON-RPC message a line. Unlike the SDK's, it
 * ends with its client, answers what it cannot read, and takes large messages in linear time.
 */
export function stdioTransport(input: Readable, output: Writable): Transport {
  const lines = new LineBuffer();
  let length = 0;
  let isSkipping = false;
  let closed = false;
  const write = (message: unknown) =>
    new Promise<void>((resolve) => {
      output.write(`${JSON.stringify(message)}\n`, () => resolve());
    });
  const refuse = (code: ErrorCode, message: string) =>
    void write({ jsonrpc: "2.0", id: null, error: { code, message } });

  function takeLine(line: string): void {
    if (line.trim() === "") return;
    const value = parseJson(line);
    const message = JSONRPCMessageSchema.safeParse(value);
    if (message.success) transport.onmessage?.(message.data);
    else if (value === undefined) refuse(ErrorCode.ParseError, "This line is not JSON.");
    else refuse(ErrorCode.InvalidRequest, "This line is not a JSON-RPC message.");
  }

  function push(chunk: string): void {
    length = chunk.includes("\n") ? chunk.length - chunk.lastIndexOf("\n") : length + chunk.length;
    const complete = lines.push(chunk);
    for (const line of complete) {
      if (isSkipping) isSkipping = false;
      else takeLine(line);
    }
    if (length <= MAX_MESSAGE) return;
    lines.flush();
    length = 0;
    if (!isSkipping)
      refuse(ErrorCode.InvalidRequest, `A message has at most ${MAX_MESSAGE} characters.`);
    isSkipping = true;
  }

  function close(): void {
    if (closed) return;
    closed = true;
    input.off("data", push);
    input.pause();
    transport.onclose?.();
  }

  const transport: Transport = {
    async start() {
      input.setEncoding("utf8");
      for (const end of ["end", "close", "error"] as const) input.once(end, close);
      output.once("error", close);
      output.once("close", close);
      input.on("data", push);
    },
    send: (message: JSONRPCMessage) => (closed ? Promise.resolve() : write(message)),
    async close() {
      close();
    },
  };
  return transport;
}
