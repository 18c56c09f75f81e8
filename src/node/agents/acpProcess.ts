import type { ChildProcess } from "node:child_process";
import { Readable, Writable } from "node:stream";
import {
  type ClientConnection,
  type ContentBlock,
  client,
  type InitializeRequest,
  MessageTooLargeError,
  methods,
  type NewSessionRequest,
  ndJsonStream,
  PROTOCOL_VERSION,
  RequestError,
  type RequestPermissionRequest,
  type RequestPermissionResponse,
} from "@agentclientprotocol/sdk";
import type * as z from "zod/mini";
import { withDeadline } from "../../base/deadline.ts";
import { err, ok, type Result } from "../../base/result.ts";
import { lastPart } from "../../base/text/clip.ts";
import { thrownText } from "../../base/text/sentence.ts";
import { untilAborted } from "../../base/untilAborted.ts";
import { wireText } from "../../model/wireText.ts";
import type { AgentOffers } from "../../ports/commands/agentOffers.ts";
import type {
  AgentImage,
  AgentListener,
  AgentProblem,
  AgentPrompt,
  AgentSession,
  AgentStop,
  AgentWay,
  ChooseSignIn,
  SignInWay,
  WithoutShadow,
} from "../../ports/commands/chatAgent.ts";
import type { Confined } from "../../ports/commands/shadow.ts";
import { endGroup } from "../processes/endProcesses.ts";
import {
  begunSchema,
  chosenSchema,
  initializedSchema,
  loadedSchema,
  promptedSchema,
  readAnswer,
  signInWays,
  UnreadableAnswer,
} from "./acpAnswers.ts";
import { AcpOffers, MODES } from "./acpOffers.ts";
import { AcpCalls } from "./acpUpdates.ts";
import type { AgentPlaces } from "./agentPlaces.ts";
import { handedOver, NO_BYPASS } from "./handedOver.ts";
import { HeardUpdates } from "./heardUpdates.ts";

/** The most of an agent's stderr and of its errors that is kept, in UTF-16 units. */
const MOST_SAID = 500;
/** How long an agent may take to stop when it is asked to, in milliseconds. */
const STOP_MS = 3_000;
/** How long what an agent sent before its answer may take to arrive, in milliseconds. */
const DRAIN_MS = 2_000;
/** A method that no agent has: its refusal comes after everything that was sent before it. */
const NOTHING = "_graft/nothing";

/** What Graft says of itself. */
const CLIENT: InitializeRequest = {
  protocolVersion: PROTOCOL_VERSION,
  clientCapabilities: { fs: { readTextFile: false, writeTextFile: false }, terminal: false },
  clientInfo: { name: "graft", title: "Graft", version: "0.1.0" },
};

/** How systems and programs word that a path may not be written. */
const DENIED =
  /\bE(?:ACCES|PERM|XDEV)\b|\b(?:Errno|os error) (?:1|13|18)\b|: (?:Permission denied|Operation not permitted)$/im;

class NotAllowed extends Error {}
class NotSignedIn extends Error {}

/** Does what waits for the user, outside of the time that an agent may take. */
export type Unhurried = <T>(work: () => Promise<T>) => Promise<T>;

/** How a session begins. */
interface Beginning {
  /** Null for a new one. */
  readonly resumeId: string | null;
  /** Null for a shadow. */
  readonly direct: Direct | null;
  readonly chooseSignIn: ChooseSignIn;
  readonly unhurried: Unhurried;
}

/** Without a shadow; `variables` are those of the user. */
interface Direct extends WithoutShadow {
  readonly variables: Readonly<Record<string, string | undefined>>;
}

const AUTH_REQUIRED = -32000;

const STOPS: Readonly<Record<string, AgentStop>> = {
  end_turn: "done",
  max_tokens: "length",
  max_turn_requests: "step-limit",
  refusal: "refused",
  cancelled: "cancelled",
};

/** An agent's process, and the session in it. */
export class AcpProcess implements AgentSession {
  private readonly child: ChildProcess;
  private readonly connection: ClientConnection;
  private readonly calls: AcpCalls;
  private readonly offers: AcpOffers;
  private readonly heard: HeardUpdates;
  private said = "";
  private saidTooMuch = false;
  private failure: Error | null = null;
  /** Settles when the process is over and all that it wrote has come. */
  private readonly closed: Promise<void>;
  way: AgentWay = "shadow";
  private canResume = false;
  private signIns: readonly SignInWay[] = [];
  private sessionId = "";
  private readonly confined: Confined | null;

  constructor(
    child: ChildProcess,
    places: AgentPlaces,
    offered: (offers: AgentOffers) => void,
    confined: Confined | null,
  ) {
    this.child = child;
    this.confined = confined;
    this.offers = new AcpOffers(offered);
    this.calls = new AcpCalls(places);
    this.heard = new HeardUpdates(this.calls, () => {
      this.saidTooMuch = true;
      this.connection.close();
    });
    child.on("error", (error) => {
      this.failure = error;
      this.connection.close(error);
    });
    child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      this.said = lastPart(this.said + text, MOST_SAID);
    });
    child.stdin?.on("error", () => undefined);
    this.closed = new Promise((resolve) => {
      child.once("close", () => {
        this.connection.close();
        resolve();
      });
    });
    const { stdin, stdout } = child;
    if (!stdin || !stdout) throw new Error("An agent has standard streams.");
    this.connection = client({ name: "graft" })
      .onRequest(methods.client.session.requestPermission, ({ params }) => this.permit(params))
      .onNotification(methods.client.session.update, ({ params }) => {
        if (params.sessionId !== this.sessionId || this.offers.takeUpdate(params.update)) return;
        this.heard.hear(params.update);
      })
      .connect(
        ndJsonStream(
          Writable.toWeb(stdin),
          Readable.toWeb(Readable.from(this.heard.paced(stdout), { objectMode: false })),
        ),
      );
  }

  /** Begins a session, or goes on with one. Null, or why that failed. */
  async open(
    { cwd, others }: { readonly cwd: string; readonly others: readonly string[] },
    { resumeId, direct, chooseSignIn, unhurried }: Beginning,
  ): Promise<AgentProblem | null> {
    const { agent } = this.connection;
    try {
      const told = await agent.request(methods.agent.initialize, CLIENT);
      const initialized = readAnswer(initializedSchema, told);
      const { protocolVersion, agentCapabilities, agentInfo } = initialized;
      this.signIns = signInWays(initialized);
      if (protocolVersion !== PROTOCOL_VERSION) return this.problem("other-protocol");
      this.canResume = agentCapabilities?.loadSession === true;
      const takesMore = agentCapabilities?.sessionCapabilities?.additionalDirectories != null;
      const session: NewSessionRequest = {
        ...{ cwd, ...(await this.toolsFor(agentInfo?.name ?? "", direct)) },
        ...(takesMore && others.length > 0 && { additionalDirectories: [...others] }),
      };
      const images = agentCapabilities?.promptCapabilities?.image === true;
      const begin = async () => this.offers.begin(await this.begin(session, resumeId), images);
      await begin().catch(async (error: unknown) => {
        await unhurried(() => this.signIn(error, chooseSignIn));
        await begin();
      });
      return await this.leaveOtherMode();
    } catch (error) {
      if (error instanceof NotAllowed) return this.problem("not-allowed");
      return this.problemOf(error);
    }
  }

  private async begin(
    session: NewSessionRequest,
    resumeId: string | null,
  ): Promise<z.infer<typeof loadedSchema>> {
    const resumed =
      this.canResume && resumeId !== null ? await this.resume(session, resumeId) : null;
    if (resumed) return resumed;
    const { agent } = this.connection;
    const begun = readAnswer(begunSchema, await agent.request(methods.agent.session.new, session));
    this.sessionId = begun.sessionId;
    return begun;
  }

  /** Signs in where the agent wants that and can by itself, as the user chooses; else throws. */
  private async signIn(wanted: unknown, choose: ChooseSignIn): Promise<void> {
    const isWanted = wanted instanceof RequestError && wanted.code === AUTH_REQUIRED;
    const methodId = isWanted && this.signIns.length > 0 ? await choose(this.signIns) : null;
    if (methodId === null) throw wanted;
    try {
      await this.connection.agent.request(methods.agent.authenticate, { methodId });
    } catch (error) {
      throw this.isOver ? error : new NotSignedIn(thrownText(error));
    }
  }

  /** Without a shadow Graft's tools, where the agent leaves its own; else the user is asked. */
  private async toolsFor(
    agent: string,
    direct: Direct | null,
  ): Promise<Pick<NewSessionRequest, "mcpServers" | "_meta">> {
    const own = { mcpServers: [], _meta: NO_BYPASS };
    if (direct === null) return own;
    const { server, variables } = direct;
    const handed = server && handedOver(agent, server, variables);
    if (handed) {
      this.way = "tools";
      this.offers.limitModes(handed.modes);
      return handed.session;
    }
    if (!(await direct.permit())) throw new NotAllowed();
    this.way = "writes-first";
    return own;
  }

  /** The session may be in a mode that is not offered, by an earlier choice of the user. */
  private async leaveOtherMode(): Promise<AgentProblem | null> {
    const { otherMode } = this.offers;
    if (!otherMode) return null;
    const [first] = otherMode.values;
    return first && (await this.choose(otherMode.id, first.id)) ? null : this.problem("refused");
  }

  /** What the agent repeats of the session is on record already: nobody listens. */
  private async resume(
    session: NewSessionRequest,
    sessionId: string,
  ): Promise<z.infer<typeof loadedSchema> | null> {
    const { agent } = this.connection;
    // Its commands may come before its answer.
    this.sessionId = sessionId;
    try {
      return readAnswer(
        loadedSchema,
        await agent.request(methods.agent.session.load, { ...session, sessionId }),
      );
    } catch {
      this.sessionId = "";
      return null;
    }
  }

  async choose(option: string, value: string): Promise<boolean> {
    const { sessionId, offers } = this;
    const { agent } = this.connection;
    if (!offers.has(option, value)) return false;
    try {
      if (option === MODES) {
        await agent.request(methods.agent.session.setMode, { sessionId, modeId: value });
        offers.choseMode(value);
        return true;
      }
      const choice = { sessionId, configId: option, value };
      const answer = await agent.request(methods.agent.session.setConfigOption, choice);
      offers.chose(readAnswer(chosenSchema, answer).configOptions);
      return true;
    } catch {
      return false;
    }
  }

  get resumeId(): string | null {
    return this.canResume ? this.sessionId : null;
  }

  get isOver(): boolean {
    return this.connection.signal.aborted;
  }

  async prompt(
    { text, images }: AgentPrompt,
    listener: AgentListener,
    signal: AbortSignal,
  ): Promise<Result<AgentStop, AgentProblem>> {
    const { agent } = this.connection;
    const { sessionId, heard } = this;
    heard.listen(listener);
    try {
      const prompt = [{ type: "text", text: wireText(text) }, ...this.imageParts(images)] as const;
      const ask = () =>
        agent.request(methods.agent.session.prompt, { sessionId, prompt: [...prompt] });
      const answer = ask().catch(async (error: unknown) => {
        await this.signIn(error, listener.chooseSignIn);
        return signal.aborted ? null : ask();
      });
      const response = await untilAborted(answer, signal);
      const never = new AbortController().signal;
      if (!response.ok) {
        await agent.notify(methods.agent.session.cancel, { sessionId });
        const stopped = await withDeadline(never, STOP_MS, () => answer.catch(() => null));
        if (!stopped.ok) await this.dispose();
        await heard.delivered();
        return ok("cancelled");
      }
      await withDeadline(never, DRAIN_MS, () => agent.request(NOTHING, {}).catch(() => null));
      await heard.delivered();
      if (this.saidTooMuch) return err(this.problem("too-much"));
      return ok(STOPS[readAnswer(promptedSchema, response.value).stopReason] ?? "done");
    } catch (error) {
      await heard.delivered();
      return signal.aborted ? ok("cancelled") : err(await this.problemOf(error));
    } finally {
      heard.listen(null);
    }
  }

  private imageParts(images: readonly AgentImage[]): ContentBlock[] {
    return (this.offers.takesImages ? images : []).map(({ type, data }) => ({
      ...{ type: "image", mimeType: `image/${type}`, data },
    }));
  }

  async dispose(): Promise<void> {
    this.connection.close();
    const { pid } = this.child;
    if (pid !== undefined) await endGroup(pid);
    await this.confined?.end();
  }

  get isConfined(): boolean {
    return this.confined !== null;
  }

  problem(code: AgentProblem["code"], detail = ""): AgentProblem {
    const said = lastPart((detail || this.said).trim(), MOST_SAID);
    const isDenied = this.isConfined && ["ended", "refused"].includes(code) && DENIED.test(said);
    return { code: isDenied ? "confined" : code, detail: said };
  }

  private async problemOf(error: unknown): Promise<AgentProblem> {
    if (this.isOver) await withDeadline(new AbortController().signal, DRAIN_MS, () => this.closed);
    const { failure } = this;
    if (failure)
      return this.problem(
        "code" in failure && failure.code === "ENOENT" ? "not-found" : "not-started",
        failure.message,
      );
    if (error instanceof NotSignedIn) return this.problem("sign-in-failed", error.message);
    if (error instanceof RequestError)
      return this.problem(error.code === AUTH_REQUIRED ? "sign-in" : "refused", error.message);
    if (error instanceof UnreadableAnswer) return this.problem("unreadable");
    if (this.saidTooMuch || error instanceof MessageTooLargeError) return this.problem("too-much");
    return this.isOver ? this.problem("ended") : this.problem("refused", thrownText(error));
  }

  /** A decision comes after what the agent said before it asked. */
  private async permit({
    sessionId,
    toolCall,
    options,
  }: RequestPermissionRequest): Promise<RequestPermissionResponse> {
    const { heard } = this;
    const { listener } = heard;
    if (!listener || sessionId !== this.sessionId) return { outcome: { outcome: "cancelled" } };
    const isNew = this.calls.isNew(toolCall.toolCallId);
    const call = this.calls.told(toolCall);
    await heard.tellOfQuestion({ type: "call", call, isNew }, listener);
    const [once, always, no] = (["allow_once", "allow_always", "reject_once"] as const).map(
      (kind) => options.find((each) => each.kind === kind),
    );
    // Where there is no yes at all, the user is not asked for one.
    const yes = once ?? always;
    const isAllowed = yes && (await listener.permit(call, once ? "once" : "always"));
    const option = isAllowed ? yes : no;
    return option && heard.listener === listener
      ? { outcome: { outcome: "selected", optionId: option.optionId } }
      : { outcome: { outcome: "cancelled" } };
  }
}
