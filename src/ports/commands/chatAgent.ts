import type { Result } from "../../base/result.ts";
import type { FileRef } from "../workspace.ts";
import type { AgentOffers } from "./agentOffers.ts";
import type { CommandPlace } from "./process.ts";
import type { ShadowPlace } from "./shadow.ts";

/** An agent of another maker that answers in a chat in place of a model: how it is started. */
export interface AgentProgram {
  /** As the user knows it. */
  readonly name: string;
  /** A program on the PATH, or its absolute path. */
  readonly command: string;
  readonly args: readonly string[];
  /** Variables besides those of this process. */
  readonly env: Readonly<Record<string, string>>;
  /** Where it may write besides the workspace and its maker's folders; `~/` is the home folder. */
  readonly writes?: readonly string[] | undefined;
}

/** What a call of such an agent does, as the agent says it. */
export const AGENT_CALL_KINDS = [
  ...(["read", "edit", "delete", "move", "search", "execute", "think", "fetch"] as const),
  "other",
] as const;
export type AgentCallKind = (typeof AGENT_CALL_KINDS)[number];

/** A call as far as the agent has told it. */
export interface AgentCall {
  /** Graft's own: an agent may name another call as an earlier one. */
  readonly callId: string;
  readonly kind: AgentCallKind;
  /** One line. */
  readonly title: string;
  /** The command line, where it runs one. */
  readonly command: string | null;
  /** The absolute paths of files that it names, in the user's own folders. */
  readonly paths: readonly string[];
  /** Its arguments as JSON allows. */
  readonly input: unknown;
  /** What it would change, as far as the agent says. */
  readonly diffs: readonly AgentDiff[];
}

/** A text of a file before and after; null before for a new one. */
export interface AgentDiff {
  /** Absolute, in the user's own folders. */
  readonly path: string;
  readonly before: string | null;
  readonly after: string;
}

/** What an agent says while it works. */
export type AgentUpdate =
  | { readonly type: "text" | "thought"; readonly text: string }
  /** An image, its bytes in base64. */
  | { readonly type: "image"; readonly data: string }
  /** A call begins (`isNew`), or more is known of it. */
  | { readonly type: "call"; readonly call: AgentCall; readonly isNew: boolean }
  | {
      readonly type: "call-end";
      readonly callId: string;
      readonly ok: boolean;
      readonly output: string;
    }
  | {
      readonly type: "plan";
      readonly entries: readonly { readonly text: string; readonly state: AgentPlanState }[];
    }
  /** How much of its context window is taken, in tokens. */
  | { readonly type: "context"; readonly used: number; readonly size: number };

export type AgentPlanState = "pending" | "in_progress" | "completed";

/** Who hears an agent. */
export interface AgentListener {
  /** Called in order, each after the last one settled. */
  update(update: AgentUpdate): Promise<void>;
  /** Called after some updates, the last ones at the latest; the next ones wait until it settles. */
  heard(): Promise<void>;
  /** Whether the agent may do this: this once, or `always`, where it takes no other yes. */
  permit(call: AgentCall, lasts: AgentYes): Promise<boolean>;
  readonly chooseSignIn: ChooseSignIn;
}

/** How long an agent takes a yes to hold. */
export type AgentYes = "once" | "always";

/** A way to sign in that an agent has by itself, as in a browser. */
export interface SignInWay {
  readonly id: string;
  /** One line, as the agent words it. */
  readonly name: string;
  /** More about it; "" for nothing. */
  readonly description: string;
}

/** Lets the user choose how to sign in to an agent: the id of the way, or null. */
export type ChooseSignIn = (ways: readonly SignInWay[]) => Promise<string | null>;

/** Why an agent stopped. */
export type AgentStop = "done" | "length" | "step-limit" | "refused" | "cancelled";

/** Why an agent does not answer. `detail` is what it or the system said; may be "". */
export interface AgentProblem {
  readonly code:
    | "not-found"
    | "not-started"
    | "not-trusted"
    /** The user does not let it write first. */
    | "not-allowed"
    /** Its process is over. */
    | "ended"
    /** It ended, or refused the request, since it may not write where it wants to. */
    | "confined"
    /** It said more in an answer, or at once, than Graft takes; its process is ended. */
    | "too-much"
    /** It wants the user to sign in first; `detail` says how. */
    | "sign-in"
    /** The user chose how, and it did not work. */
    | "sign-in-failed"
    /** It speaks no version of the protocol that Graft knows. */
    | "other-protocol"
    /** It answered with what the protocol does not have. */
    | "unreadable"
    /** It refused the request. */
    | "refused";
  readonly detail: string;
}

/** What an agent is asked. */
export interface AgentPrompt {
  readonly text: string;
  /** Left out for an agent that takes none. */
  readonly images: readonly AgentImage[];
}

/** An image, its bytes in base64. */
export interface AgentImage {
  readonly type: "png" | "jpeg";
  readonly data: string;
}

/** A conversation with an agent's process. */
export interface AgentSession {
  /** By which the agent finds it again in another process; null where it cannot. */
  readonly resumeId: string | null;
  readonly isOver: boolean;
  readonly way: AgentWay;
  /** True where it can write only in its shadow, its maker's folders and where the user said. */
  readonly isConfined: boolean;
  /** Chooses a value of one of its options, by their ids; false where it did not take it. */
  choose(option: string, value: string): Promise<boolean>;
  /**
   * Asks, and settles when the agent is done and everything that it said was heard. An abort asks it
   * to stop, and ends its process where it does not.
   */
  prompt(
    prompt: AgentPrompt,
    listener: AgentListener,
    signal: AbortSignal,
  ): Promise<Result<AgentStop, AgentProblem>>;
  /** Ends its process with all that it started. */
  dispose(): Promise<void>;
}

/** A folder of the workspace, and the absolute path at which an agent finds it. */
export interface AgentFolder {
  readonly folder: FileRef;
  /** Null where it is at its own path. */
  readonly at: string | null;
}

/** A program that serves Graft's tools by MCP. */
export type ToolServer = Omit<AgentProgram, "name">;

/** How an agent works where it cannot have a shadow. */
export interface WithoutShadow {
  /** Proposes in place of an agent's own tools, where that allows it; null where there is none. */
  readonly server: ToolServer | null;
  /** Whether an agent may run that writes the user's files first. */
  permit(): Promise<boolean>;
}

/**
 * How an agent's changes come to the user: as proposals from its shadow, as proposals by Graft's
 * tools in place of its own, or not before they are in the files.
 */
export type AgentWay = "shadow" | "tools" | "writes-first";

/** Where an agent runs in a shadow. */
export interface AgentPlace extends CommandPlace {
  /** Null where the user does not want it confined. */
  readonly confine: ShadowPlace["confine"] | null;
}

/** Starts an agent's process in the first of the folders, as `place` shows the files. */
export type StartAgent = (
  program: AgentProgram,
  where: {
    readonly folders: readonly [AgentFolder, ...AgentFolder[]];
    readonly place: AgentPlace | WithoutShadow;
    /** A session to go on with; the agent forgets it where it cannot. */
    readonly resumeId: string | null;
    readonly chooseSignIn: ChooseSignIn;
    /** Hears what the session offers, now and when that changes. */
    offered(offers: AgentOffers): void;
  },
  signal: AbortSignal,
) => Promise<Result<AgentSession, AgentProblem>>;
