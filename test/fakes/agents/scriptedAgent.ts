// An agent that speaks the Agent Client Protocol and plays a script: node --import tsx
// scriptedAgent.ts, with STEPS (JSON, one list a prompt) in the environment. It tells each prompt in
// the file that PROMPTS names.
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { Readable, Writable } from "node:stream";
import { setTimeout } from "node:timers/promises";
import {
  agent,
  methods,
  type NewSessionResponse,
  ndJsonStream,
  PROTOCOL_VERSION,
  RequestError,
  type RequestPermissionRequest,
  type SessionUpdate,
  type ToolCall,
  type ToolCallContent,
} from "@agentclientprotocol/sdk";

/** One thing that the agent does. */
type Step =
  | { readonly say: string; readonly times?: number }
  | { readonly think: string }
  | { readonly write: string; readonly text: string; readonly ask?: true }
  | { readonly run: string; readonly ask?: true }
  | { readonly read: string }
  | { readonly plan: readonly string[]; readonly done: number }
  | { readonly wait: "cancel" | "forever" }
  /** Until there is a file at this path. */
  | { readonly until: string }
  | { readonly exit: number; readonly says?: string }
  | { readonly rubbish: string }
  | { readonly late: string }
  | { readonly mode: string }
  | { readonly image: string }
  | { readonly commands: Readonly<Record<string, string>> }
  | { readonly stop: "refusal" | "max_tokens" };

const scripts: readonly (readonly Step[])[] = JSON.parse(process.env.STEPS ?? "[]");
const sessions = process.env.SESSIONS;
let played = 0;
/** What is chosen of the modes in MODES, a comma between them, and of the models in MODELS. */
let mode = process.env.MODES?.split(",")[0] ?? "";
let model = process.env.MODELS?.split(",")[0] ?? "";

function offered(): Pick<NewSessionResponse, "modes" | "configOptions"> {
  const { MODES, MODELS } = process.env;
  const named = (id: string) => ({ id, name: id.toUpperCase(), description: `The ${id} mode` });
  return {
    ...(MODES && { modes: { currentModeId: mode, availableModes: MODES.split(",").map(named) } }),
    ...(MODELS && {
      configOptions: [
        {
          ...{ type: "select", id: "model", name: "Model", category: "model" },
          currentValue: model,
          options: MODELS.split(",").map((value) => ({ value, name: value.toUpperCase() })),
        },
      ],
    }),
  };
}

/** Those named in OPTIONS, or all. */
const OPTIONS = (
  [
    { optionId: "always", name: "Always", kind: "allow_always" },
    { optionId: "yes", name: "Yes", kind: "allow_once" },
    { optionId: "no", name: "No", kind: "reject_once" },
  ] as const
).filter(({ optionId }) => process.env.OPTIONS?.split(",").includes(optionId) ?? true);
/** A yes that holds longer than it needs to counts as none. */
const YES = OPTIONS.some(({ optionId }) => optionId === "yes") ? "yes" : "always";

/** The method by which the user signed in. */
let signedIn = "";
let cancelled: () => void = () => undefined;

const app = agent({ name: "scripted" })
  .onRequest(methods.agent.initialize, () => {
    if (process.env.VERSION) return { protocolVersion: Number(process.env.VERSION) };
    return {
      protocolVersion: PROTOCOL_VERSION,
      agentInfo: { name: process.env.NAME ?? "scripted", version: "1" },
      authMethods: JSON.parse(process.env.METHODS ?? "[]"),
      agentCapabilities: {
        loadSession: sessions !== undefined,
        promptCapabilities: { image: process.env.IMAGES !== undefined },
      },
    };
  })
  .onRequest(methods.agent.authenticate, async ({ params: { methodId } }) => {
    if (methodId === "broken") throw RequestError.internalError(undefined, "no browser");
    if (methodId === "slow") await new Promise(() => undefined);
    signedIn = methodId;
    return {};
  })
  .onRequest(methods.agent.session.new, ({ params }) => {
    if (process.env.BEGUN) fs.writeFileSync(process.env.BEGUN, JSON.stringify(params));
    if (process.env.SIGN_IN && signedIn === "")
      throw RequestError.authRequired(undefined, "Run `scripted login`");
    const sessionId = `session-${process.pid}`;
    if (sessions) fs.appendFileSync(sessions, `${sessionId}\n`);
    return { sessionId, ...offered() };
  })
  .onRequest(methods.agent.session.setMode, ({ params: { modeId } }) => {
    if (modeId === "refused") throw RequestError.invalidParams(undefined, "not that one");
    mode = modeId;
    return {};
  })
  .onRequest(methods.agent.session.setConfigOption, ({ params }) => {
    model = String(params.value);
    return { configOptions: offered().configOptions ?? [] };
  })
  .onRequest(methods.agent.session.load, async ({ params, client }) => {
    if (!sessions || !fs.readFileSync(sessions, "utf8").includes(params.sessionId))
      throw RequestError.resourceNotFound(params.sessionId);
    const content = { type: "text", text: "said before" } as const;
    const update = { sessionUpdate: "agent_message_chunk", content } as const;
    await client.notify(methods.client.session.update, { sessionId: params.sessionId, update });
    return {};
  })
  .onNotification(methods.agent.session.cancel, () => cancelled())
  .onRequest(methods.agent.session.prompt, async ({ params, client }) => {
    const { sessionId, prompt } = params;
    if (process.env.SIGN_IN_LATE && signedIn === "") throw RequestError.authRequired();
    let asked = prompt.map((part) => (part.type === "text" ? part.text : part.type)).join("\n");
    if (process.env.PROMPTS && mode !== "") asked += ` [${mode}]`;
    if (process.env.PROMPTS) fs.appendFileSync(process.env.PROMPTS, `${JSON.stringify(asked)}\n`);
    let isCancelled = false;
    const cancel = new Promise<void>((resolve) => {
      cancelled = () => {
        isCancelled = true;
        resolve();
      };
    });
    const send = (update: SessionUpdate) =>
      client.notify(methods.client.session.update, { sessionId, update });
    const say = (text: string, sessionUpdate: "agent_message_chunk" | "agent_thought_chunk") =>
      send({ sessionUpdate, content: { type: "text", text } });
    let calls = 0;
    let stopReason: "end_turn" | "refusal" | "max_tokens" = "end_turn";
    let late: string | null = null;
    for (const step of scripts[played] ?? [{ say: "Nothing is planned." }]) {
      if (isCancelled) break;
      if ("say" in step)
        for (let time = 0; time < (step.times ?? 1); time++)
          await say(step.say, "agent_message_chunk");
      else if ("think" in step) await say(step.think, "agent_thought_chunk");
      else if ("plan" in step)
        await send({
          sessionUpdate: "plan",
          entries: step.plan.map((content, at) => ({
            content,
            priority: "medium",
            status: at < step.done ? "completed" : at === step.done ? "in_progress" : "pending",
          })),
        });
      else if ("wait" in step)
        await (step.wait === "cancel" ? cancel : new Promise(() => undefined));
      else if ("until" in step) while (!fs.existsSync(step.until)) await setTimeout(20);
      else if ("exit" in step) {
        if (step.says) fs.writeSync(2, step.says);
        process.exit(step.exit);
      } else if ("rubbish" in step) fs.writeSync(1, step.rubbish);
      else if ("mode" in step)
        await send({ sessionUpdate: "current_mode_update", currentModeId: step.mode });
      else if ("commands" in step)
        await send({
          sessionUpdate: "available_commands_update",
          availableCommands: Object.entries(step.commands).map(([name, description]) => ({
            name,
            description,
          })),
        });
      else if ("image" in step)
        await send({
          sessionUpdate: "agent_message_chunk",
          content: { type: "image", mimeType: "image/png", data: step.image },
        });
      else if ("late" in step) late = step.late;
      else if ("stop" in step) stopReason = step.stop;
      else {
        const toolCallId = `call-${played}-${++calls}`;
        const isWrite = "write" in step;
        if ("read" in step) {
          const locations = [{ path: path.resolve(step.read) }];
          const lines = fs.readFileSync(step.read, "utf8").trimEnd().split("\n");
          const text = lines.map((line, at) => `${String(at + 1).padStart(6)}\t${line}`).join("\n");
          await send({
            ...{ sessionUpdate: "tool_call", toolCallId, title: `Read ${step.read}` },
            ...{ kind: "read", status: "completed", locations },
            content: [{ type: "content", content: { type: "text", text } }],
          });
          continue;
        }
        const call: ToolCall = {
          toolCallId,
          title: isWrite ? `Write ${step.write}` : step.run,
          kind: isWrite ? "edit" : "execute",
          ...(isWrite && { locations: [{ path: path.resolve(step.write) }] }),
          rawInput: isWrite ? { path: step.write } : { command: step.run },
        };
        await send({ sessionUpdate: "tool_call", status: "pending", ...call });
        if (step.ask) {
          const diff: ToolCallContent[] = isWrite
            ? [
                {
                  ...{ type: "diff", path: path.resolve(step.write), newText: step.text },
                  oldText: fs.existsSync(step.write) ? fs.readFileSync(step.write, "utf8") : null,
                },
              ]
            : [];
          const asking: RequestPermissionRequest = {
            sessionId,
            toolCall: { ...call, content: diff },
            options: OPTIONS,
          };
          const { outcome } = await client.request(
            methods.client.session.requestPermission,
            asking,
          );
          if (outcome.outcome !== "selected" || outcome.optionId !== YES) {
            await send({ sessionUpdate: "tool_call_update", toolCallId, status: "failed" });
            continue;
          }
        }
        let text = "";
        let isGood = true;
        if (isWrite) fs.writeFileSync(step.write, step.text);
        else {
          const ran = spawnSync("sh", ["-c", step.run], { encoding: "utf8" });
          text = ran.stdout + ran.stderr;
          isGood = ran.status === 0;
        }
        await send({
          sessionUpdate: "tool_call_update",
          toolCallId,
          status: isGood ? "completed" : "failed",
          content: [{ type: "content", content: { type: "text", text } }],
        });
      }
    }
    played++;
    if (late !== null) void say(late, "agent_message_chunk");
    return { stopReason: isCancelled ? "cancelled" : stopReason };
  });

app.connect(ndJsonStream(Writable.toWeb(process.stdout), Readable.toWeb(process.stdin)));
