import { execFile } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);
const MODEL = "/usr/share/pocketsphinx/model/en-us";

/**
 * Speaks `text` into a WAV file (24 kHz mono), with silence before and after it in seconds, without
 * flite's own before it. Needs flite and sox.
 */
export async function speak(
  text: string,
  file: string,
  { before = 0, after = 0 } = {},
): Promise<void> {
  const raw = `${file}.flite.wav`;
  await run("flite", ["-voice", "rms", "-t", text, "-o", raw]);
  const effects = ["silence", "1", "0.01", "0.5%", "pad", String(before), String(after)];
  await run("sox", [raw, "-r", "24000", "-c", "1", "-b", "16", file, ...effects]);
  fs.rmSync(raw);
}

/** Voices to speak with, as `flite VOICE` or `espeak-ng WORDS-A-MINUTE`. */
export const VOICES = [
  "flite rms",
  "flite slt",
  "flite awb",
  "flite kal16",
  "espeak-ng 130",
  "espeak-ng 190",
] as const;

/** Speaks `text` with one of {@link VOICES} as samples; null where its program is missing. */
export async function spokenBy(
  voice: (typeof VOICES)[number],
  text: string,
): Promise<Int16Array | null> {
  const dir = fs.mkdtempSync(path.join(os.tmpdir(), "graft-speech-"));
  const [raw, file] = [path.join(dir, "raw.wav"), path.join(dir, "said.wav")];
  const [program, which = ""] = voice.split(" ");
  try {
    if (program === "flite") await run("flite", ["-voice", which, "-t", text, "-o", raw]);
    else await run("espeak-ng", ["-v", "en-us", "-s", which, "-w", raw, text]);
    const effects = [
      "norm",
      "-6",
      "silence",
      "1",
      "0.01",
      "0.5%",
      "reverse",
      "silence",
      "1",
      "0.01",
    ];
    await run("sox", [
      raw,
      "-r",
      "24000",
      "-c",
      "1",
      "-b",
      "16",
      file,
      ...effects,
      "0.5%",
      "reverse",
    ]);
    return samplesOf(file);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
    throw error;
  } finally {
    fs.rmSync(dir, { recursive: true, force: true });
  }
}

/** The samples of a WAV file that {@link speak} wrote. */
export function samplesOf(file: string): Int16Array {
  const bytes = fs.readFileSync(file);
  const data = bytes.indexOf("data", 12) + 8;
  return new Int16Array(Uint8Array.from(bytes.subarray(data)).buffer);
}

/** A WAV file with these samples. */
export function wavOf(pcm: Int16Array, rate = 24_000): Buffer {
  const header = Buffer.alloc(44);
  header.write("RIFF", 0);
  header.writeUInt32LE(36 + pcm.byteLength, 4);
  header.write("WAVEfmt ", 8);
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20);
  header.writeUInt16LE(1, 22);
  header.writeUInt32LE(rate, 24);
  header.writeUInt32LE(rate * 2, 28);
  header.writeUInt16LE(2, 32);
  header.writeUInt16LE(16, 34);
  header.write("data", 36);
  header.writeUInt32LE(pcm.byteLength, 40);
  return Buffer.concat([header, Buffer.from(pcm.buffer, pcm.byteOffset, pcm.byteLength)]);
}

/**
 * The words that a recognizer with an open language model understands. Needs sox and pocketsphinx.
 */
export async function recognize(wav: Buffer): Promise<string> {
  const dir = fs.mkdtempSync(path.join(os.tmpdir(), "graft-speech-"));
  const at = (name: string) => path.join(dir, name);
  try {
    fs.writeFileSync(at("heard.wav"), wav);
    // It takes long silence for words.
    const trim = [
      "silence",
      "1",
      "0.05",
      "0.5%",
      "reverse",
      "silence",
      "1",
      "0.05",
      "0.5%",
      "reverse",
      "pad",
      "0.3",
      "0.3",
    ];
    await run("sox", [
      at("heard.wav"),
      "-r",
      "16000",
      "-c",
      "1",
      "-b",
      "16",
      at("trimmed.wav"),
      "norm",
      "-3",
      ...trim,
    ]);
    fs.writeFileSync(at("list"), "trimmed\n");
    const models = [
      "-hmm",
      `${MODEL}/en-us`,
      "-lm",
      `${MODEL}/en-us.lm.bin`,
      "-dict",
      `${MODEL}/cmudict-en-us.dict`,
    ];
    const files = [
      "-adcin",
      "yes",
      "-adchdr",
      "44",
      "-cepdir",
      dir,
      "-cepext",
      ".wav",
      "-ctl",
      at("list"),
      "-hyp",
      at("words"),
    ];
    await run("pocketsphinx_batch", [...models, ...files], { maxBuffer: 100_000_000 });
    return fs.readFileSync(at("words"), "utf8").replace(/\(.*$/s, "").trim();
  } finally {
    fs.rmSync(dir, { recursive: true, force: true });
  }
}

/**
 * The share of `said` that was understood: words in the same order (the longest common sequence).
 */
export function understood(said: string, heard: string): number {
  const words = (text: string) => text.toLowerCase().match(/[a-z']+/g) ?? [];
  const [a, b] = [words(said), words(heard)];
  let row = new Array<number>(b.length + 1).fill(0);
  for (const word of a) {
    const next = [0];
    for (let at = 0; at < b.length; at++)
      next.push(word === b[at] ? (row[at] ?? 0) + 1 : Math.max(row[at + 1] ?? 0, next[at] ?? 0));
    row = next;
  }
  return a.length === 0 ? 0 : (row.at(-1) ?? 0) / a.length;
}
