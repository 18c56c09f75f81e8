import { ok, type Result } from "../../base/result.ts";
import {
  type Boundary,
  compilePattern,
  isWordCharacter,
  type PatternProblem,
  type Step,
} from "./patternProgram.ts";

/** The most states and transitions that are remembered; then they are forgotten and found again. */
const MAX_STATES = 2_000;
const MAX_KNOWN = 20_000;
/** Stands for the end of a text. */
const END = -1;

/** What a pattern can be in the middle of after a character. */
interface State {
  /** Steps before what needs no character. */
  readonly steps: readonly number[];
  readonly before: "start" | "word" | "other";
  readonly next: Map<number, State | "match">;
}

/**
 * Tells whether a regular expression matches within a text, in a time that grows with the text
 * alone: all ways to match are followed at once. The same expressions as in ripgrep, without
 * backreferences and look-around.
 */
export function linearPattern(
  pattern: string,
  caseSensitive: boolean,
): Result<(text: string) => boolean, PatternProblem> {
  const compiled = compilePattern(pattern, caseSensitive);
  if (!compiled.ok) return compiled;
  const steps = compiled.value;
  const first = steps.length - 1;
  let states = new Map<string, State>();
  let known = 0;

  function stateOf(list: readonly number[], before: State["before"]): State {
    const key = `${before} ${list.join(" ")}`;
    const found = states.get(key);
    if (found) return found;
    if (states.size >= MAX_STATES || known >= MAX_KNOWN) {
      states = new Map();
      known = 0;
    }
    const state: State = { steps: list, before, next: new Map() };
    states.set(key, state);
    return state;
  }

  function follow(state: State, code: number): State | "match" {
    const reached = new Set<number>();
    const open = [first, ...state.steps];
    for (let at = open.pop(); at !== undefined; at = open.pop()) {
      const step = steps[at];
      if (!step || reached.has(at)) continue;
      if (step.type === "match") return "match";
      reached.add(at);
      if (step.type === "split") open.push(...step.next);
      else if (step.type === "place" && isAt(step.place, state.before, code)) open.push(step.next);
    }
    const next = code === END ? [] : [...reached].flatMap((at) => goesOn(steps[at], code));
    return stateOf(
      [...new Set(next)].sort((a, b) => a - b),
      code !== END && isWordCharacter(code) ? "word" : "other",
    );
  }

  return ok((text) => {
    let state = stateOf([], "start");
    for (let at = 0; at <= text.length; at++) {
      const code = at === text.length ? END : (text.codePointAt(at) ?? END);
      if (code > 0xffff) at += 1;
      let next = state.next.get(code);
      if (next === undefined) {
        next = follow(state, code);
        state.next.set(code, next);
        known += 1;
      }
      if (next === "match") return true;
      state = next;
    }
    return false;
  });
}

function goesOn(step: Step | undefined, code: number): readonly number[] {
  return step?.type === "character" && step.matches(code) ? [step.next] : [];
}

function isAt(place: Boundary, before: State["before"], code: number): boolean {
  if (place === "start") return before === "start";
  if (place === "end") return code === END;
  const isEdge = (before === "word") !== (code !== END && isWordCharacter(code));
  return place === "word-edge" ? isEdge : !isEdge;
}
