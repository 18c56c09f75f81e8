import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { buffer } from "node:stream/consumers";
import * as fc from "fast-check";
import type { FailureCode } from "../../../src/model/modelFailure.ts";
import { type SpeechServer, speak, transcribe } from "../../../src/model/speech/speechServer.ts";
import type { Voice } from "../../../src/model/speech/voice.ts";
import { encodeWav, LinearResampler, WavReader } from "../../../src/model/speech/wav.ts";
import { SAMPLE_RATE } from "../../../src/ports/audioLine.ts";
import { concat, cut, noise } from "../../fakes/sound.ts";
import { GENEROUS } from "./collect.ts";

type Answer = (response: ServerResponse, request: IncomingMessage, body: Buffer) => void;

interface Asked {
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}

async function withServer<T>(
  answers: readonly Answer[],
  use: (url: string, asked: Asked[], client: (more?: Partial<SpeechServer>) => Voice) => Promise<T>,
): Promise<T> {
  const asked: Asked[] = [];
  const server = createServer(async (request, response) => {
    const body = await buffer(request);
    asked.push({
      path: request.url ?? "",
      headers: request.headers,
      body: body.toString("latin1"),
    });
    (answers[Math.min(asked.length, answers.length) - 1] ?? (() => response.end()))(
      response,
      request,
      body,
    );
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}/v1`;
  const client = (more: Partial<SpeechServer> = {}): Voice => {
    const speechServer = {
      baseUrl: url,
      apiKey: "secret-key",
      headers: { Authorization: "Bearer secret-key" },
      limits: GENEROUS,
      transcriptionModel: "hears",
      speechModel: "speaks",
      voice: "alloy",
      language: "",
      speed: 1,
      ...more,
    };
    return {
      transcribe: (utterance, signal, onWords) =>
        transcribe(speechServer, utterance, signal, onWords),
      speak: (text, signal) => speak(speechServer, text, signal),
    };
  };
  try {
    return await use(url, asked, client);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

const never = new AbortController().signal;
const json =
  (value: unknown, status = 200): Answer =>
  (response) =>
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value));
const html: Answer = (response) =>
  response.writeHead(200, { "content-type": "text/html" }).end("<html><body>Sign in</body></html>");
const bytes =
  (body: Uint8Array, pieces: readonly number[] = [body.length]): Answer =>
  async (response) => {
    response.writeHead(200, { "content-type": "audio/wav" });
    for (let at = 0, turn = 0; at < body.length; turn++) {
      const length = pieces[turn % pieces.length] ?? 1;
      response.write(body.subarray(at, at + length));
      at += length;
    }
    response.end();
  };

async function heardOf(speech: ReturnType<typeof speak>) {
  const pieces: Int16Array[] = [];
  let next = await speech.next();
  for (; !next.done; next = await speech.next()) pieces.push(next.value);
  return { pcm: concat(...pieces), code: next.value?.code ?? null, error: next.value };
}

/** A WAV file of a tone in other formats than Graft's own. */
function wav({
  rate = 44_100,
  channels = 1,
  ms = 500,
  hertz = 440,
  bits = 16,
  length = -1,
  before = "",
} = {}): Uint8Array {
  const frames = Math.round((rate * ms) / 1000);
  const data = Buffer.alloc(frames * channels * 2);
  for (let at = 0; at < frames; at++) {
    for (let channel = 0; channel < channels; channel++)
      data.writeInt16LE(
        Math.round(10_000 * Math.sin((2 * Math.PI * hertz * at) / rate)),
        (at * channels + channel) * 2,
      );
  }
  const head = Buffer.alloc(24);
  head.write("fmt ", 0);
  head.writeUInt32LE(16, 4);
  head.writeUInt16LE(1, 8);
  head.writeUInt16LE(channels, 10);
  head.writeUInt32LE(rate, 12);
  head.writeUInt32LE(rate * channels * 2, 16);
  head.writeUInt16LE(channels * 2, 20);
  head.writeUInt16LE(bits, 22);
  const size = Buffer.alloc(8);
  size.write("data", 0);
  size.writeUInt32LE(length < 0 ? data.length : length, 4);
  return Buffer.concat([
    Buffer.from("RIFF\0\0\0\0WAVE"),
    Buffer.from(before, "latin1"),
    head,
    size,
    data,
  ]);
}

const crossings = (pcm: Int16Array) =>
  pcm.reduce(
    (count, sample, at) => count + (at > 0 && sample >= 0 !== (pcm[at - 1] ?? 0) >= 0 ? 1 : 0),
    0,
  );

describe("recognizing speech", () => {
  it("sends a WAV file of 24 kHz mono and reads the text", async () => {
    await withServer([json({ text: " Rename it. " })], async (_url, asked, client) => {
      const pcm = noise(300, -20);
      assert.deepEqual(await client({ language: "de" }).transcribe(pcm, never), {
        ok: true,
        value: " Rename it. ",
      });
      const { path, headers, body } = asked[0] ?? { path: "", headers: {}, body: "" };
      assert.equal(path, "/v1/audio/transcriptions");
      assert.equal(headers.authorization, "Bearer secret-key");
      assert.match(body, /name="model"\r\n\r\nhears\r\n/);
      assert.match(body, /name="language"\r\n\r\nde\r\n/);
      assert.doesNotMatch(body, /name="stream"/);
      assert.ok(body.includes(Buffer.from(encodeWav(pcm)).toString("latin1")));
    });
  });

  it("shows the words as they come, and asks without where the server refuses to stream", async () => {
    const events = ["Rename", " it"].map((delta) => ({ type: "transcript.text.delta", delta }));
    const stream: Answer = (response) =>
      response
        .writeHead(200, { "content-type": "text/event-stream" })
        .end(
          [...events, { type: "transcript.text.done", text: "Rename it." }]
            .map((event) => `data: ${JSON.stringify(event)}\n\n`)
            .join(""),
        );
    const words: string[] = [];
    await withServer([stream], async (_url, _asked, client) => {
      const result = await client().transcribe(noise(300, -20), never, (so) => words.push(so));
      assert.deepEqual(result, { ok: true, value: "Rename it." });
    });
    assert.deepEqual(words, ["Rename", "Rename it"]);
    const refuses = json({ error: { message: "Unknown parameter: stream" } }, 400);
    await withServer([refuses, json({ text: "One" })], async (_url, asked, client) => {
      const { transcribe } = client();
      assert.deepEqual(await transcribe(noise(300, -20), never, () => undefined), {
        ok: true,
        value: "One",
      });
      assert.deepEqual(
        asked.map(({ body }) => body.includes('name="stream"')),
        [true, false],
      );
    });
  });

  const hostile: Record<string, readonly [answer: Answer, code: FailureCode]> = {
    "a web page": [html, "web-page"],
    nothing: [(response) => response.writeHead(200).end(), "empty"],
    "other JSON": [json({ words: [] }), "unreadable-transcript"],
    "an endless text": [
      (response) =>
        void response
          .writeHead(200, { "content-type": "application/json" })
          .end(`{"text":"${"a".repeat(400_000)}"}`),
      "overlong",
    ],
    "a broken stream": [
      (response) =>
        response
          .writeHead(200, { "content-type": "text/event-stream" })
          .end('data: {"type":"transcript.text.delta","delta":"Re"}\n\n'),
      "interrupted",
    ],
    "no such API": [json({ detail: "Not Found" }, 404), "no-transcription"],
    "no such model": [
      json({ error: { message: "The model `hears` does not exist" } }, 404),
      "no-voice-model",
    ],
    "a wrong key": [json({ error: { message: "Bad key secret-key" } }, 401), "key-rejected"],
    "a file too large": [json({ error: { message: "Too large" } }, 413), "rejected"],
    "a connection that ends": [(response) => response.destroy(), "connection-closed"],
    "another server": [
      (response) => response.writeHead(307, { location: "http://other.invalid/v1/audio" }).end(),
      "redirected",
    ],
  };
  for (const [what, [answer, code]] of Object.entries(hostile)) {
    it(`says what is wrong with ${what}`, async () => {
      await withServer([answer], async (_url, _asked, client) => {
        const result = await client().transcribe(noise(300, -20), never);
        assert.equal(result.ok ? null : result.error.code, code);
        assert.ok(!JSON.stringify(result).includes("secret-key"));
      });
    });
  }

  it("ends with the limit of a silent server, or when it is canceled", async () => {
    await withServer([() => undefined], async (_url, _asked, client) => {
      const limits = { connectMs: 50, firstTokenMs: 50, idleMs: 50 };
      const late = await client({ limits }).transcribe(noise(300, -20), never);
      assert.equal(late.ok ? null : late.error.kind, "connect-timeout");
      const abort = new AbortController();
      const canceled = client().transcribe(noise(300, -20), abort.signal);
      abort.abort();
      assert.equal(
        (await canceled.then((result) => (result.ok ? null : result.error.code))) ?? null,
        "aborted",
      );
    });
  });
});

describe("speaking a sentence", () => {
  it("asks for WAV and plays 44.1 kHz as 24 kHz, for every way to cut the file", async () => {
    const file = wav({ before: "LIST\x04\0\0\0abcd" });
    await withServer([bytes(file, [1, 700, 3])], async (_url, asked, client) => {
      const { pcm, code } = await heardOf(client({ speed: 1.2 }).speak("Hello.", never));
      assert.equal(code, null);
      assert.ok(Math.abs(pcm.length - SAMPLE_RATE / 2) <= 1, `${pcm.length} samples`);
      assert.ok(Math.abs(crossings(pcm) - 440) <= 2, `${crossings(pcm)} crossings`);
      assert.equal(asked[0]?.path, "/v1/audio/speech");
      assert.deepEqual(JSON.parse(asked[0]?.body ?? ""), {
        model: "speaks",
        input: "Hello.",
        voice: "alloy",
        response_format: "wav",
        speed: 1.2,
      });
    });
  });

  it("gives back what a WAV file was made of, and reads files without a length", () => {
    const pcm = noise(200, -20);
    const read = (file: Uint8Array) => new WavReader().push(file);
    assert.deepEqual(read(encodeWav(pcm)), pcm);
    assert.equal(
      read(wav({ rate: SAMPLE_RATE, channels: 1, length: 0xffff_ffff }))?.length,
      12_000,
    );
    assert.equal(read(wav({ rate: SAMPLE_RATE, channels: 1, length: 100 }))?.length, 50);
  });

  it("plays the same sound for every way to cut it, at any rate", () => {
    const formats = fc.record({
      rate: fc.constantFrom(8_000, 16_000, 22_050, 24_000, 44_100, 48_000),
      ms: fc.integer({ min: 0, max: 60 }),
    });
    fc.assert(
      fc.property(
        formats,
        fc.array(fc.integer({ min: 1, max: 900 }), { minLength: 1, maxLength: 5 }),
        (format, lengths) => {
          const file = wav(format);
          const reader = new WavReader();
          const pieces: number[] = [];
          for (let at = 0, turn = 0; at < file.length; turn++) {
            const length = lengths[turn % lengths.length] ?? 1;
            pieces.push(...(reader.push(file.subarray(at, at + length)) ?? []));
            at += length;
          }
          assert.deepEqual(pieces, [...(new WavReader().push(file) ?? [])]);
          const expected =
            (Math.round((format.rate * format.ms) / 1000) * SAMPLE_RATE) / format.rate;
          assert.ok(Math.abs(pieces.length - expected) <= 2, `${pieces.length} of ${expected}`);
          assert.ok(reader.isComplete);
        },
      ),
    );
    assert.deepEqual(
      new LinearResampler(48_000).push(Int16Array.of(10, 20, 30, 50)),
      Int16Array.of(10, 30),
    );
    assert.deepEqual(
      new LinearResampler(12_000).push(Int16Array.of(10, 20, 30)),
      Int16Array.of(10, 15, 20, 25, 30),
    );
    assert.equal(cut(noise(100, -20), [100]).length, 24);
  });

  const good = wav({ rate: SAMPLE_RATE, channels: 1 });
  const hostile: Record<string, readonly [answer: Answer, code: FailureCode, samples?: number]> = {
    "a web page": [html, "web-page"],
    nothing: [bytes(new Uint8Array()), "empty"],
    "JSON in place of sound": [json({ url: "https://a.b/c.mp3" }), "unreadable-audio"],
    "another format": [bytes(Buffer.from("ID3\x04\0\0\0\0\0\0")), "unreadable-audio"],
    "24 bit": [bytes(wav({ bits: 24 })), "unreadable-audio"],
    stereo: [bytes(wav({ channels: 2 })), "unreadable-audio"],
    "a rate that nobody can play": [bytes(wav({ rate: 1 })), "unreadable-audio"],
    "a description without an end": [
      bytes(
        Buffer.concat([
          Buffer.from("RIFF\0\0\0\0WAVELIST\xff\xff\xff\x7f", "latin1"),
          Buffer.alloc(200_000),
        ]),
      ),
      "unreadable-audio",
    ],
    "a file cut off in its header": [bytes(good.subarray(0, 30)), "unreadable-audio"],
    "a file cut off in its sound": [
      bytes(good.subarray(0, good.length - 2_000)),
      "interrupted",
      11_000,
    ],
    "no such API": [json({}, 405), "no-speech"],
    "a model that cannot": [
      json({ error: { message: "model speaks not found" } }, 404),
      "no-voice-model",
    ],
    "a server error": [json({ error: "CUDA" }, 500), "server-error"],
  };
  for (const [what, [answer, code, samples = 0]] of Object.entries(hostile)) {
    it(`says what is wrong with ${what}`, async () => {
      await withServer([answer], async (_url, _asked, client) => {
        const heard = await heardOf(client().speak("Hello.", never));
        assert.equal(heard.code, code);
        assert.equal(heard.pcm.length, samples);
      });
    });
  }

  it("ends sound without an end after 3 minutes, and when nobody listens", async () => {
    const endless: Answer = (response) => {
      response.write(wav({ rate: SAMPLE_RATE, channels: 1, ms: 0, length: 0xffff_ffff }));
      const more = () => {
        while (!response.destroyed && response.write(Buffer.alloc(960_000)));
      };
      response.on("drain", more);
      more();
    };
    await withServer([endless], async (_url, _asked, client) => {
      const { pcm, code } = await heardOf(client().speak("Hello.", never));
      assert.equal(code, "overlong");
      assert.ok(pcm.length < 200 * SAMPLE_RATE);
    });
    const left: Promise<unknown>[] = [];
    const watched: Answer = (response, request, body) => {
      left.push(once(response, "close"));
      endless(response, request, body);
    };
    await withServer([watched], async (_url, _asked, client) => {
      const speech = client().speak("Hello.", never);
      await speech.next();
      await speech.return(null);
      await left[0];
      const abort = new AbortController();
      const stopped = client().speak("Hello.", abort.signal);
      await stopped.next();
      abort.abort();
      assert.equal((await heardOf(stopped)).code, "aborted");
      await left[1];
    });
  });

  it("ends with the limit of a server that stops in the middle", async () => {
    const stalls: Answer = (response) => void response.write(good.subarray(0, 1_000));
    await withServer([stalls], async (_url, _asked, client) => {
      const heard = await heardOf(
        client({ limits: { ...GENEROUS, idleMs: 50 } }).speak("Hello.", never),
      );
      assert.equal(heard.code, "idle-timeout");
      assert.equal(heard.pcm.length, 478);
    });
  });
});
