// An agent that keeps to no protocol: node hostileAgent.cjs, with PLAY, the name of what it does when
// it is asked, and ANSWERS (JSON), what it answers in place of the protocol's results. It writes its messages itself, so that they may be any text.
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";

const SESSION = "session-1";
const CALL = { sessionUpdate: "tool_call", title: "work", kind: "execute" } as const;
const ANSWERS = JSON.parse(process.env.ANSWERS ?? "{}");
const answers = new Map<number, (answer: unknown) => void>();
let asked = 0;
let lastId = 1_000;
let promptId = 0;

function write(text: string): Promise<void> {
  return new Promise((resolve) => {
    process.stdout.write(text, () => resolve());
  });
}
const send = (message: object) => write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
const update = (change: object, sessionId = SESSION) =>
  send({ method: "session/update", params: { sessionId, update: change } });
const say = (text: string, sessionId?: string) =>
  update({ sessionUpdate: "agent_message_chunk", content: { type: "text", text } }, sessionId);
const done = () => send({ id: promptId, result: { stopReason: "end_turn" } });

/** Asks for permission; the text of the answer's result, or of its error's code. */
async function permission(params: object): Promise<string> {
  const id = ++lastId;
  const answer = new Promise<unknown>((resolve) => {
    answers.set(id, resolve);
  });
  await send({
    id,
    method: "session/request_permission",
    params: { sessionId: SESSION, ...params },
  });
  return JSON.stringify(await answer);
}

const option = (kind: string) => ({ optionId: kind, name: kind, kind });

function shell(command: string): void {
  if (spawnSync("sh", ["-c", command]).status !== 0) throw new Error(command);
}

/** Ways to write, by what they are; `home` has the folders `.gemini` and `extra`. */
const WAYS: Readonly<Record<string, (home: string) => void>> = {
  "in the workspace": () => fs.writeFileSync("a.txt", "theirs\n"),
  "to its maker's folder": (home) => {
    fs.writeFileSync(`${home}/.gemini/session`, "begun");
    fs.mkdirSync(`${home}/.gemini/sessions`);
    fs.renameSync(`${home}/.gemini/session`, `${home}/.gemini/sessions/1`);
  },
  "where the settings say": (home) => fs.appendFileSync(`${home}/extra/log`, "x"),
  "to a temporary file": () => {
    fs.writeFileSync(path.join(fs.mkdtempSync(path.join(os.tmpdir(), "agent-")), "file"), "x");
  },
  "to a device": () => fs.writeFileSync("/dev/null", "x"),
  "by an absolute path": (home) => fs.appendFileSync(`${home}/.bashrc`, "x"),
  "by cutting": (home) => fs.truncateSync(`${home}/.bashrc`),
  "by removing": (home) => fs.rmSync(`${home}/.profile`),
  "by a new file": (home) => fs.writeFileSync(`${home}/new`, ""),
  "by a new folder": (home) => fs.mkdirSync(`${home}/folder`),
  "by a new link": (home) => fs.symlinkSync("a", `${home}/link`),
  "through a link": () => fs.appendFileSync("out/.bashrc", "x"),
  "through a link of its own": (home) => {
    fs.symlinkSync(home, `${home}/.gemini/home`);
    fs.appendFileSync(`${home}/.gemini/home/.bashrc`, "x");
  },
  "by a child process": () => shell('echo x >> "$HOME/.bashrc"'),
  "by a process that outlives its parent": () =>
    shell(
      '(setsid sh -c "echo x >> $HOME/.bashrc && echo y > $HOME/extra/done") & wait; [ -e $HOME/extra/done ]',
    ),
  "by a hard link": (home) => {
    fs.linkSync(`${home}/.bashrc`, `${home}/.gemini/linked`);
    fs.appendFileSync(`${home}/.gemini/linked`, "x");
  },
  "by renaming in": (home) => fs.renameSync(`${home}/other`, `${home}/.gemini/other`),
  "by renaming out": (home) => {
    fs.writeFileSync(`${home}/.gemini/mine`, "x");
    fs.renameSync(`${home}/.gemini/mine`, `${home}/theirs`);
  },
  "through another process": (home) =>
    fs.appendFileSync(`/proc/${process.ppid || 1}/root${home}/.bashrc`, "x"),
};

const plays: Readonly<Record<string, () => Promise<unknown>>> = {
  async "many calls that end"() {
    for (let at = 0; ; at++) await update({ ...CALL, toolCallId: `${at}`, status: "completed" });
  },
  async "many calls that stay open"() {
    for (let at = 0; at < 1_500; at++) await update({ ...CALL, toolCallId: `${at}` });
    await done();
  },
  async "text without end"() {
    for (const much = "x".repeat(1_000_000); ; ) await say(much);
  },
  async "a result of 50 MB"() {
    const text = "y".repeat(50_000_000);
    const content = [{ type: "content", content: { type: "text", text } }];
    await update({ ...CALL, toolCallId: "1", status: "completed", content });
    await done();
  },
  async "the same ids again"() {
    fs.writeFileSync("a.txt", `${asked}\n`);
    const locations = [{ path: path.resolve("a.txt") }];
    await update({ ...CALL, kind: "edit", toolCallId: "1", status: "completed", locations });
    await update({ sessionUpdate: "tool_call_update", toolCallId: "1", status: "failed" });
    await update({ ...CALL, toolCallId: "1", title: "second" });
    const output = { type: "content", content: { type: "text", text: "out" } };
    await update({
      ...{ sessionUpdate: "tool_call_update", toolCallId: "1", status: "completed" },
      content: [output],
    });
    await done();
  },
  async "another session"() {
    await say("forged", "session-2");
    const toolCall = { ...CALL, toolCallId: "1", rawInput: { command: "rm -rf /" } };
    await say(
      await permission({ sessionId: "session-2", toolCall, options: [option("allow_once")] }),
    );
    await done();
  },
  async "numbers that are none"() {
    for (const size of [1e300, -7, 0.5, 2 ** 60])
      await update({ sessionUpdate: "usage_update", used: size, size });
    await update({ sessionUpdate: "usage_update", used: 5, size: 10 });
    const entry = { priority: "high", status: "pending" };
    const entries = Array.from({ length: 20_000 }, (_, at) => ({
      content: `step ${at}`,
      ...entry,
    }));
    await update({ sessionUpdate: "plan", entries });
    await done();
  },
  async "rubbish between the lines"() {
    await write('{"jsonrpc":"2.0","id":999,"result":{}}\n[]\nnull\n5\n{}\n\u0000\n');
    await write('{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"session-1"}}\n');
    await update({ sessionUpdate: "never_heard_of" });
    await update({ ...CALL, toolCallId: 5 });
    const deep = `${"[".repeat(20_000)}${"]".repeat(20_000)}`;
    const call = { ...CALL, toolCallId: "deep", status: "completed", rawInput: "DEEP" };
    const params = { sessionId: SESSION, update: call };
    const line = JSON.stringify({ jsonrpc: "2.0", method: "session/update", params });
    await write(`${line.replace('"DEEP"', deep)}\n`);
    await say("still here");
    await done();
  },
  async "400 files and a commit"() {
    for (let at = 0; at < 400; at++) fs.writeFileSync(`made-${at}.txt`, "x\n");
    fs.writeFileSync(".git/refs/heads/other", `${"a".repeat(40)}\n`);
    await update({ ...CALL, toolCallId: "1", status: "completed" });
    await done();
  },
  /** Says by which ways it could write, and begins with a question. */
  async "writes everywhere"() {
    const toolCall = { ...CALL, toolCallId: "1", rawInput: { command: "work" } };
    await permission({ toolCall, options: [option("allow_once")] });
    const could = Object.entries(WAYS).flatMap(([name, way]) => {
      try {
        way(process.env.HOME ?? "");
        return name;
      } catch {
        return [];
      }
    });
    await say(JSON.stringify(could));
    await done();
  },
  async "dies where it may not write"() {
    fs.writeFileSync(`${process.env.HOME}/new`, "");
  },
  async "refuses where it may not write"() {
    const message = "EACCES: permission denied, open '/x'";
    await send({ id: promptId, error: { code: -32603, message } });
  },
  async "half a line"() {
    await say("begun");
    await write('{"jsonrpc":"2.0","method":"session/upd');
    await pause(50);
    process.exit(0);
  },
};

createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, result, error } = JSON.parse(line);
  if (method in ANSWERS) void send({ id, result: ANSWERS[method] });
  else if (method === "initialize") void send({ id, result: { protocolVersion: 1 } });
  else if (method === "session/new") void send({ id, result: { sessionId: SESSION } });
  else if (method === "session/prompt") {
    promptId = id;
    asked++;
    void plays[process.env.PLAY ?? ""]?.();
  } else if (method === undefined) answers.get(id)?.(result ?? error);
  else if (id !== undefined) void send({ id, error: { code: -32601, message: "no" } });
});
