import { once } from "node:events";
import fs from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import os from "node:os";
import path from "node:path";
import * as z from "zod/mini";
import { speak } from "./speech.ts";

const speechSchema = z.looseObject({ model: z.string(), input: z.string(), voice: z.string() });

/** A request for words, and when it was answered, in milliseconds of `performance.now`. */
export interface Recording {
  /** The WAV file. */
  readonly wav: Buffer;
  readonly answeredAt: number;
}

/**
 * An OpenAI-compatible server on the loopback that "recognizes" what a test wrote, and speaks with
 * flite.
 */
export interface SpeechServer {
  readonly url: string;
  readonly recordings: readonly Recording[];
  /** The sentences that were spoken. */
  readonly spoken: readonly string[];
  /** How many milliseconds flite took for each of them that is complete. */
  readonly speakingMs: readonly number[];
  /** When each of them was asked for, in milliseconds of `performance.now`. */
  readonly askedAt: readonly number[];
  /** What is recognized next; a number is the status of a refusal. */
  next(transcript: string | number): void;
  close(): Promise<void>;
}

/** Starts the server. Needs flite and sox. */
export async function startSpeechServer(): Promise<SpeechServer> {
  const dir = fs.mkdtempSync(path.join(os.tmpdir(), "graft-speech-"));
  const recordings: Recording[] = [];
  const spoken: string[] = [];
  const speakingMs: number[] = [];
  const askedAt: number[] = [];
  /** The files of what was spoken before: flite's own time is not Graft's. */
  const known = new Map<string, string>();
  const transcripts: (string | number)[] = [];
  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) =>
      response.destroy(error instanceof Error ? error : undefined),
    );
  });

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = Buffer.concat(chunks);
    if (request.url === "/v1/audio/transcriptions") {
      const transcript = transcripts.shift() ?? "";
      if (typeof transcript === "number") {
        response
          .writeHead(transcript, { "content-type": "application/json" })
          .end('{"error":{"message":"no such path"}}');
        return;
      }
      response
        .writeHead(200, { "content-type": "application/json" })
        .end(JSON.stringify({ text: transcript }));
      recordings.push({ wav: wavIn(body), answeredAt: performance.now() });
    } else if (request.url === "/v1/audio/speech") {
      const { input } = speechSchema.parse(JSON.parse(body.toString()));
      const began = performance.now();
      const number = spoken.push(input);
      const file = known.get(input) ?? path.join(dir, `${number}.wav`);
      askedAt.push(began);
      if (!known.has(input)) await speak(input, file);
      known.set(input, file);
      speakingMs.push(performance.now() - began);
      response.writeHead(200, { "content-type": "audio/wav" }).end(fs.readFileSync(file));
    } else response.writeHead(404).end();
  }

  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string")
    throw new Error("The test server has no port.");
  return {
    url: `http://127.0.0.1:${address.port}/v1`,
    recordings,
    spoken,
    speakingMs,
    askedAt,
    next: (transcript) => transcripts.push(transcript),
    async close() {
      server.close();
      server.closeAllConnections();
      fs.rmSync(dir, { recursive: true, force: true });
    },
  };
}

/** The WAV file of a form. It must be what the microphone's line carries: 24 kHz, mono, 16 bit. */
function wavIn(form: Buffer): Buffer {
  const start = form.indexOf("RIFF");
  const wav = form.subarray(start);
  const [rate, channels, bits] = [wav.readUInt32LE(24), wav.readUInt16LE(22), wav.readUInt16LE(34)];
  if (start < 0 || rate !== 24_000 || channels !== 1 || bits !== 16)
    throw new Error(`not the sound of a line: ${rate} ${channels} ${bits}`);
  return wav.subarray(0, 44 + wav.readUInt32LE(40));
}
