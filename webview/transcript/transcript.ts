import { branch } from "../../src/turns/branch.ts";
import type { Turn } from "../../src/turns/turn.ts";
import { activityOf } from "../answer/activity.ts";
import { AgentTurnView } from "../answer/agentTurnView.ts";
import { userTurnView } from "../answer/userTurnView.ts";
import { button } from "../controls.ts";
import { h, icon, setText } from "../dom.ts";
import { t } from "../l10n.ts";
import { activityText } from "../messages.ts";
import type { PanelContext } from "../panelContext.ts";
import type { PanelStore } from "../panelStore.ts";
import type { FrameChanges } from "../turnChanges.ts";
import { type Direction, versionSwitch } from "./versionSwitch.ts";

/** A turn's place in the list. Its content is drawn in idle time, the last turns first. */
interface Place {
  readonly turn: Turn;
  readonly element: HTMLElement;
  /** Holds the switch between the versions of the turn. */
  readonly versions: HTMLElement;
  view: AgentTurnView | null;
  filled: boolean;
}

/** Pixels from the end that still count as the end. */
const NEAR_END = 32;
/** Turns that are drawn at once when a chat opens; earlier ones follow in idle time. */
const DRAWN_AT_ONCE = 12;

/** The chat's turns, newest at the bottom. Follows the answer while the user is at the end. */
export class Transcript {
  readonly element: HTMLElement;
  private readonly list = h("div", { class: "turns" });
  private readonly activity = h("div", { class: "activity", hidden: true });
  private readonly activityWords = h("span");
  private readonly toRunning: HTMLElement;
  private readonly jump: HTMLElement;
  private readonly scroller: HTMLElement;
  private readonly store: PanelStore;
  private readonly context: PanelContext;
  private places = new Map<string, Place>();
  private unfilled: Place[] = [];
  private atEnd = true;
  private idleAsked = false;
  private ticking: ReturnType<typeof setInterval> | null = null;
  /** The fork at which the user switches versions, until the new one is shown. */
  private switched: { readonly parentTurnId: string | null; readonly direction: Direction } | null = null;

  /** `empty` is shown while there are no turns. */
  constructor(store: PanelStore, context: PanelContext, empty: HTMLElement) {
    this.store = store;
    this.context = context;
    this.toRunning = button({
      label: t("Show answer"),
      description: t("Show answer in progress"),
      onClick: () => this.showRunning(),
    });
    this.activity.append(icon("spinner"), this.activityWords, this.toRunning);
    const attributes = { role: "log", "aria-live": "off", "aria-label": t("Chat"), tabindex: "0" };
    this.scroller = h("div", { class: "scroller", attributes }, empty, this.list, this.activity);
    this.jump = button({ label: t("Jump to latest"), icon: "down", onClick: () => this.toEnd() });
    this.jump.classList.add("jump");
    this.element = h("div", { class: "transcript" }, this.scroller, this.jump);
    this.jump.hidden = true;
    this.scroller.addEventListener("scroll", () => this.scrolled(), { passive: true });
    this.stayWhereUserUnfolds();
    new ResizeObserver(() => this.follow()).observe(this.list);
    new ResizeObserver(() => this.follow()).observe(this.scroller);
  }

  /** Draws the whole chat; `scrollTop` is where the user was, or null for the end. */
  reset(scrollTop: number | null): void {
    this.places = new Map();
    this.list.replaceChildren();
    this.atEnd = scrollTop === null;
    this.arrange();
    if (scrollTop !== null) {
      // The position is known once all turns above it have their heights.
      while (this.unfilled.length > 0) this.fillNext();
      this.scroller.scrollTop = scrollTop;
    }
    this.updateActivity();
    this.follow();
  }

  draw(changes: FrameChanges): void {
    // Before `arrange`: a new view begins with all of its turn.
    for (const [turnId, change] of changes.turns) this.places.get(turnId)?.view?.update(change);
    if (changes.head) this.arrange();
    this.updateActivity();
    this.follow();
  }

  /** Scrolls to the end and follows new content. */
  showEnd(): void {
    this.atEnd = true;
    this.jump.hidden = true;
    this.follow();
  }

  /** Updates the list to the shown branch and keeps what is already drawn. */
  private arrange(): void {
    const turns = branch(this.store.tree, this.store.tree.headTurnId);
    const places = new Map(turns.map((turn) => [turn.id, this.places.get(turn.id) ?? newPlace(turn)]));
    for (const [id, place] of this.places) if (!places.has(id)) place.element.remove();
    let after: Element | null = null;
    for (const { element } of places.values()) {
      const expected: Element | null = after ? after.nextElementSibling : this.list.firstElementChild;
      if (expected !== element) this.list.insertBefore(element, expected);
      after = element;
    }
    this.places = places;
    for (const place of places.values()) this.updateVersions(place);
    this.unfilled = [...places.values()].filter((place) => !place.filled);
    for (let count = 0; count < DRAWN_AT_ONCE && this.unfilled.length > 0; count++) this.fillNext();
    this.fillInIdleTime();
    this.element.classList.toggle("has-turns", turns.length > 0);
  }

  private updateVersions({ turn, versions }: Place): void {
    const { tree } = this.store;
    const count = tree.children.get(turn.parentTurnId)?.length ?? 1;
    if (count < 2 && versions.childElementCount === 0) return;
    const element = versionSwitch(tree, turn, (turnId, direction) => {
      this.switched = { parentTurnId: turn.parentTurnId, direction };
      this.context.post({ type: "show-branch", turnId });
    });
    versions.replaceChildren(...(element ? [element] : []));
    const { switched } = this;
    if (switched === null || switched.parentTurnId !== turn.parentTurnId || !element) return;
    this.switched = null;
    const buttons = [
      element.querySelector<HTMLElement>(`.version-${switched.direction}:not([disabled])`),
      element.querySelector<HTMLElement>("vscode-button:not([disabled])"),
    ];
    buttons.find((each) => each !== null)?.focus();
    this.context.announce(element.getAttribute("aria-label") ?? "");
  }

  private fillInIdleTime(): void {
    if (this.idleAsked || this.unfilled.length === 0) return;
    this.idleAsked = true;
    setTimeout(() => {
      this.idleAsked = false;
      const start = performance.now();
      while (this.unfilled.length > 0 && performance.now() - start < 8) this.fillNext();
      this.fillInIdleTime();
    }, 16);
  }

  private fillNext(): void {
    const place = this.unfilled.pop();
    if (!place) return;
    place.filled = true;
    if (place.turn.role === "user") place.versions.before(userTurnView(place.turn, this.context));
    else {
      place.view = new AgentTurnView(place.turn, this.context);
      place.versions.before(place.view.element);
    }
  }

  private updateActivity(): void {
    const { running } = this.store;
    this.activity.hidden = running === null;
    if (running) {
      const elsewhere = !this.places.has(running.id);
      const now = Date.now();
      const activity = activityText(activityOf(running, now));
      this.places.get(running.id)?.view?.updateTimes(now);
      setText(this.activityWords, elsewhere ? t("In another version: {activity}", { activity }) : activity);
      this.toRunning.hidden = !elsewhere;
    }
    // Running times advance without events.
    if (running) this.ticking ??= setInterval(() => this.updateActivity(), 1_000);
    else if (this.ticking !== null) {
      clearInterval(this.ticking);
      this.ticking = null;
    }
  }

  private showRunning(): void {
    const { running } = this.store;
    if (!running) return;
    this.context.post({ type: "show-branch", turnId: running.id });
    this.scroller.focus();
  }

  /** Keeps what the user unfolds at the end in place instead of following. */
  private stayWhereUserUnfolds(): void {
    this.list.addEventListener("click", ({ target }) => {
      const details = target instanceof Element ? target.closest("summary")?.parentElement : null;
      if (!(details instanceof HTMLDetailsElement)) return;
      this.atEnd = false;
      details.addEventListener("toggle", () => this.scrolled(), { once: true });
    });
  }

  private scrolled(): void {
    const { scrollTop, clientHeight, scrollHeight } = this.scroller;
    // An empty chat shows its top, and still follows its first turn.
    this.atEnd = this.places.size === 0 || scrollHeight - scrollTop - clientHeight < NEAR_END;
    this.jump.hidden = this.atEnd;
    this.store.save({ scrollTop: this.atEnd ? null : scrollTop });
  }

  private follow(): void {
    if (this.atEnd) this.scroller.scrollTop = this.places.size === 0 ? 0 : this.scroller.scrollHeight;
  }

  private toEnd(): void {
    this.showEnd();
    this.scroller.focus();
  }
}

function newPlace(turn: Turn): Place {
  const name = turn.role === "user" ? t("You") : "Graft";
  const element = h("article", { class: `turn turn-${turn.role}`, attributes: { "aria-label": name } });
  element.append(h("h3", { class: turn.role === "user" ? "hidden-word" : "turn-name hidden-word" }, name));
  const versions = h("div", { class: "versions-place" });
  element.append(versions);
  return { turn, element, versions, view: null, filled: false };
}
