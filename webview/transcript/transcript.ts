import type { CandidateMessage } from "../../src/protocol/messages.ts";
import { branch } from "../../src/turns/branch.ts";
import { innerTurns } from "../../src/turns/plan/innerTurns.ts";
import type { StartingCall } from "../../src/turns/turn.ts";
import { activityWithin } from "../answer/activity.ts";
import { userMessageView } from "../answer/userTurnView.ts";
import { button } from "../controls.ts";
import { h, icon, setText } from "../dom.ts";
import { t } from "../l10n.ts";
import { activityText } from "../messages.ts";
import type { PanelContext } from "../panelContext.ts";
import type { OutgoingMessage, PanelStore } from "../panelStore.ts";
import type { FrameChanges, TurnChanges } from "../turnChanges.ts";
import { FindInChat } from "./findInChat.ts";
import { type TurnPlace, TurnPlaces } from "./turnPlaces.ts";
import { type Direction, versionSwitch } from "./versionSwitch.ts";

/** Distance in pixels that still counts as being at the end. */
const NEAR_END = 32;
/** How many pixels of a question must be visible to count as seen. */
const SEEN = 24;
/** The most turns whose fold states are remembered. */
const MAX_FOLDED = 100;

/** The chat's turns, newest at the bottom. Follows the answer while the user is at the end. */
export class Transcript {
  readonly element: HTMLElement;
  /** Messages being sent to the host. */
  private readonly outgoing = h("div", { class: "outgoing" });
  private readonly activity = h("div", { class: "activity", hidden: true });
  private readonly activityWords = h("span");
  private readonly toRunning: HTMLElement;
  private readonly findBox: FindInChat;
  private chatId: string | null = null;
  private readonly jump: HTMLElement;
  private readonly scroller: HTMLElement;
  private readonly places: TurnPlaces;
  private readonly store: PanelStore;
  private readonly context: PanelContext;
  private atEnd = true;
  /** The latest known scroll position, in pixels. */
  private knownTop = 0;
  private newBelow = false;
  /** Whether the running turn waits for the user. */
  private asks = false;
  private ticking: ReturnType<typeof setInterval> | null = null;
  /** The fork at which the user is switching versions, until the new version is shown. */
  private switched: { readonly parentTurnId: string | null; readonly direction: Direction } | null =
    null;

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
    this.scroller = h("div", { class: "scroller", attributes }, empty);
    this.places = new TurnPlaces(this.scroller, context, (place) => this.restoreFolds(place));
    this.scroller.append(this.places.element, this.outgoing, this.activity);
    this.jump = button({ label: t("Jump to latest"), icon: "down", onClick: () => this.jumped() });
    this.jump.classList.add("jump");
    this.findBox = new FindInChat(
      this.places.element,
      (over) => this.places.drawAll(over),
      () => this.scroller.focus(),
    );
    this.element = h(
      "div",
      { class: "transcript" },
      this.findBox.element,
      this.scroller,
      this.jump,
    );
    this.updateJump();
    this.scroller.addEventListener("scroll", () => this.scrolled(), { passive: true });
    this.scroller.addEventListener("keydown", (event) => {
      if (!event.altKey || (event.key !== "ArrowUp" && event.key !== "ArrowDown")) return;
      event.preventDefault();
      this.toRequest(event.key === "ArrowUp" ? -1 : 1);
    });
    this.stayWhereUserUnfolds();
    const resized = new ResizeObserver(() => this.follow());
    for (const element of [this.places.element, this.scroller]) resized.observe(element);
  }

  /** Redraws the chat at the user's scroll position, or else at its end. */
  reset(): void {
    const { place } = this.store.savedState;
    const { chatId } = this.store;
    if (this.chatId !== null && chatId !== this.chatId) this.findBox.leave();
    this.chatId = chatId;
    this.places.clear();
    this.arrange();
    this.showOutgoing();
    const shown = place ? this.places.get(place.turnId) : undefined;
    this.atEnd = !shown;
    if (place && shown) {
      this.places.drawAround(shown);
      // Lay it out even if it is out of view, so that its height counts.
      shown.element.classList.add("laid-out");
      shown.element.scrollIntoView({ block: "start" });
      this.scroller.scrollTop += place.offset;
    }
    this.updateActivity();
    this.follow();
    this.updateJump();
  }

  /** Shows messages that are being sent to the host. */
  showOutgoing(): void {
    const messages = this.store.outgoing.filter(({ queued }) => !queued);
    if (messages.length === 0 && !this.outgoing.hasChildNodes()) return;
    this.outgoing.replaceChildren(...messages.map((message) => this.outgoingTurn(message)));
    this.updateEmpty();
    this.follow();
  }

  private outgoingTurn({ text, attached }: OutgoingMessage): HTMLElement {
    const attachments = attached.map((ref) => ({ ...ref, text: ref.text ?? "", omitted: 0 }));
    return h(
      "div",
      { class: "turn turn-user" },
      userMessageView({ text, attachments }, this.context),
    );
  }

  private updateEmpty(): void {
    this.element.classList.toggle(
      "has-turns",
      this.places.size > 0 || this.outgoing.hasChildNodes(),
    );
  }

  draw(changes: FrameChanges): void {
    // Do this before `arrange`, because a new view already contains its whole turn.
    const started = this.drawInner(changes);
    for (const [turnId, change] of changes.turns) {
      if (change.redrawn)
        this.places.redraw(this.context.agentTurn(turnId)?.within?.turnId ?? turnId);
      else this.places.get(turnId)?.view?.update(change);
    }
    for (const { turnId, callId } of started) this.places.get(turnId)?.view?.showInner(callId);
    if (changes.head) this.arrange();
    this.showOutgoing();
    this.updateActivity();
    this.follow();
    if (!this.atEnd && [...changes.turns.values()].some(isLonger)) this.newBelow = true;
    this.updateJump();
  }

  /** Draws what agents did that are shown; returns the calls of those that are not. */
  private drawInner({ turns }: FrameChanges): readonly StartingCall[] {
    return [...turns].flatMap(([turnId, change]) => {
      const within = this.context.agentTurn(turnId)?.within;
      const view = within && this.places.get(within.turnId)?.view;
      return within && !view?.updateInner(turnId, change) ? [within] : [];
    });
  }

  /** Shows what the host says of the answers of several models. */
  receive(message: CandidateMessage & { readonly turnId: string }): void {
    this.places.get(message.turnId)?.view?.candidates.receive(message);
    this.follow();
  }

  /** Opens the search in the chat with words. */
  find(words: string): void {
    this.findBox.open(words);
  }

  /** Scrolls to the end and follows new content. */
  showEnd(): void {
    this.atEnd = true;
    this.follow();
    this.updateJump();
  }

  /** Updates the list to the shown branch and reuses existing views. */
  private arrange(): void {
    this.places.arrange(branch(this.store.tree, this.store.tree.headTurnId));
    for (const place of this.places.all) this.updateVersions(place);
    this.updateEmpty();
  }

  private updateVersions({ turn, versions }: TurnPlace): void {
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

  private updateActivity(): void {
    const { running } = this.store;
    this.activity.hidden = running === null;
    this.asks = false;
    if (running) {
      const elsewhere = !this.places.get(running.id);
      const now = Date.now();
      const asksAboutServers = (this.store.status?.agreements ?? []).length > 0;
      const current = asksAboutServers
        ? ({ code: "needs-answer" } as const)
        : activityWithin(running, innerTurns(this.store.tree, running), now);
      const activity = activityText(current);
      this.places.get(running.id)?.view?.updateTimes(now);
      setText(
        this.activityWords,
        elsewhere ? t("In another version: {activity}", { activity }) : activity,
      );
      this.toRunning.hidden = !elsewhere;
      this.asks = current.code === "needs-permission" || current.code === "needs-answer";
      // The retry line has its own countdown.
      this.activity.hidden = current.code === "retrying" && !elsewhere;
    }
    // Elapsed times advance without events.
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

  /** Stops following when the user unfolds something at the end, and remembers the fold. */
  private stayWhereUserUnfolds(): void {
    this.places.element.addEventListener("click", ({ target }) => {
      const details = target instanceof Element ? target.closest("summary")?.parentElement : null;
      if (!(details instanceof HTMLDetailsElement)) return;
      this.atEnd = false;
      details.addEventListener(
        "toggle",
        () => {
          this.scrolled();
          this.rememberFold(details);
        },
        { once: true },
      );
    });
  }

  private rememberFold(details: HTMLDetailsElement): void {
    const place = this.places.around(details);
    if (!place) return;
    const { id } = place.turn;
    const { [id]: known = {}, ...others } = this.store.savedState.folds;
    const number = foldsOf(place).indexOf(details);
    const latest = Object.entries(others).slice(1 - MAX_FOLDED);
    this.store.save({
      folds: Object.fromEntries([...latest, [id, { ...known, [number]: details.open }]]),
    });
  }

  private restoreFolds(place: TurnPlace): void {
    const remembered = this.store.savedState.folds[place.turn.id];
    if (!remembered) return;
    const folds = foldsOf(place);
    for (const [number, open] of Object.entries(remembered)) {
      const details = folds[Number(number)];
      if (details) details.open = open;
    }
  }

  private scrolled(): void {
    const { scrollTop, clientHeight, scrollHeight } = this.scroller;
    const below = scrollHeight - scrollTop - clientHeight;
    // The first pixels up leave the end, or the next words would take them back. Content that gets
    // shorter moves the view up, too, but to the end. By the time of this event, the end may have
    // moved down. An empty chat shows its top but still follows its first turn.
    const isAtEnd = this.places.size === 0 || below <= 1;
    if (scrollTop < this.knownTop) this.atEnd = isAtEnd;
    else this.atEnd ||= isAtEnd || (scrollTop > this.knownTop && below < NEAR_END);
    this.knownTop = scrollTop;
    this.updateJump();
    this.store.save({ place: this.atEnd ? null : this.placeAtTop() });
  }

  private placeAtTop(): { readonly turnId: string; readonly offset: number } | null {
    const { top } = this.scroller.getBoundingClientRect();
    const place = this.places.firstBelow(top);
    return place
      ? { turnId: place.turn.id, offset: top - place.element.getBoundingClientRect().top }
      : null;
  }

  private follow(): void {
    if (!this.atEnd) return;
    this.scroller.scrollTop = this.element.classList.contains("has-turns")
      ? this.scroller.scrollHeight
      : 0;
    this.knownTop = this.scroller.scrollTop;
  }

  /**
   * Moves to the previous or next request, relative to the focused one or else to the top of the
   * view.
   */
  private toRequest(direction: 1 | -1): void {
    const top = this.scroller.getBoundingClientRect().top;
    const requests = this.places.all.filter(({ turn }) => turn.role === "user");
    const offset = ({ element }: TurnPlace) => element.getBoundingClientRect().top - top;
    // The positions of turns that are drawn later still change.
    const focused = requests.findIndex(({ element }) => element === document.activeElement);
    const near =
      direction > 0
        ? requests.find((each) => offset(each) > 2)
        : requests.findLast((each) => offset(each) < -2);
    const found = focused === -1 ? near : requests[focused + direction];
    if (!found) return;
    this.places.drawAround(found);
    found.element.setAttribute("tabindex", "-1");
    found.element.focus({ preventScroll: true });
    found.element.scrollIntoView({ block: "start" });
    this.scrolled();
  }

  /**
   * Updates the corner button, which leads to a question out of view, to new content below, or to
   * the end.
   */
  private updateJump(): void {
    if (this.atEnd) this.newBelow = false;
    const asked = this.askedOutOfSight();
    this.jump.hidden = this.atEnd && asked === null;
    this.jump.classList.toggle("asks", asked !== null);
    const label = asked ? t("Graft asks") : this.newBelow ? t("New below") : t("Jump to latest");
    if (this.jump.lastChild) setText(this.jump.lastChild, label);
  }

  private askedOutOfSight(): HTMLElement | null {
    const asked = this.asks
      ? this.places.element.querySelector<HTMLElement>(
          ".question:has(vscode-button:not([disabled]))",
        )
      : null;
    if (!asked) return null;
    const [box, view] = [asked.getBoundingClientRect(), this.scroller.getBoundingClientRect()];
    return box.top > view.bottom - SEEN || box.bottom < view.top + SEEN ? asked : null;
  }

  private jumped(): void {
    const asked = this.askedOutOfSight();
    if (asked) {
      asked.scrollIntoView({ block: "nearest" });
      asked.focus({ preventScroll: true });
      this.scrolled();
      return;
    }
    this.showEnd();
    this.scroller.focus();
  }
}

/** The foldable elements of a turn, in order. */
function foldsOf({ element }: TurnPlace): readonly HTMLDetailsElement[] {
  return [...element.querySelectorAll("details")];
}

/** False where only decisions changed what is there. */
function isLonger({ appended, calls, notices }: TurnChanges): boolean {
  return appended.length > 0 || calls.size > 0 || notices.length > 0;
}
