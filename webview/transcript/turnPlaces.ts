import type { Turn } from "../../src/turns/turn.ts";
import { AgentTurnView } from "../answer/agentTurnView.ts";
import { userTurnView } from "../answer/userTurnView.ts";
import { h } from "../dom.ts";
import { t } from "../l10n.ts";
import type { PanelContext } from "../panelContext.ts";

/** A turn's placeholder in the list. Empty until the turn is drawn. */
export interface TurnPlace {
  readonly turn: Turn;
  readonly element: HTMLElement;
  /** Contains the switch between the turn's versions. */
  readonly versions: HTMLElement;
  /** Null for a user turn, and for a turn not drawn yet. */
  view: AgentTurnView | null;
  drawn: boolean;
}

/** The number of turns at the end that are always drawn. */
const DRAWN_AT_END = 12;
/** Milliseconds per frame for drawing turns near the viewport. */
const SLICE_MS = 8;
/** The fewest turns that a slice draws, however slow the machine is. */
const SLICE_TURNS = 5;

/**
 * The turns of the shown branch, in order. Draws those at the end immediately, and others when they
 * are within a screen of the viewport.
 */
export class TurnPlaces {
  readonly element = h("div", { class: "turns" });
  private readonly context: PanelContext;
  /** Called with each place that was just drawn. */
  private readonly drawn: (place: TurnPlace) => void;
  private readonly near: IntersectionObserver;
  private readonly byElement = new WeakMap<Element, TurnPlace>();
  private byTurn = new Map<string, TurnPlace>();
  private readonly due = new Set<TurnPlace>();
  private drawsDue = false;

  constructor(scroller: HTMLElement, context: PanelContext, drawn: (place: TurnPlace) => void) {
    this.context = context;
    this.drawn = drawn;
    this.near = new IntersectionObserver((entries) => this.moved(entries), {
      root: scroller,
      rootMargin: "100% 0px",
    });
  }

  get size(): number {
    return this.byTurn.size;
  }

  get all(): readonly TurnPlace[] {
    return [...this.byTurn.values()];
  }

  get(turnId: string): TurnPlace | undefined {
    return this.byTurn.get(turnId);
  }

  /** The place that contains `node`. */
  around(node: Node): TurnPlace | undefined {
    const element = node instanceof Element ? node : node.parentElement;
    const turn = element?.closest(".turn");
    return turn ? this.byElement.get(turn) : undefined;
  }

  clear(): void {
    this.near.disconnect();
    this.due.clear();
    this.byTurn = new Map();
    this.element.replaceChildren();
  }

  /** Shows these turns and reuses those already drawn. */
  arrange(turns: readonly Turn[]): void {
    const places = new Map(
      turns.map((turn) => [turn.id, this.byTurn.get(turn.id) ?? this.newPlace(turn)]),
    );
    for (const [id, place] of this.byTurn) if (!places.has(id)) this.remove(place);
    let after: Element | null = null;
    for (const { element } of places.values()) {
      const expected: Element | null = after
        ? after.nextElementSibling
        : this.element.firstElementChild;
      if (expected !== element) this.element.insertBefore(element, expected);
      after = element;
    }
    this.byTurn = places;
    for (const place of this.all.slice(-DRAWN_AT_END)) this.draw(place);
  }

  /** Draws a turn anew, if it is drawn. */
  redraw(turnId: string): void {
    const place = this.byTurn.get(turnId);
    if (!place?.view) return;
    place.view.element.remove();
    Object.assign(place, { view: null, drawn: false });
    this.draw(place);
  }

  /** Draws a turn and its neighbors, because the user is about to see it. */
  drawAround(place: TurnPlace): void {
    const { all } = this;
    const at = all.indexOf(place);
    for (const each of all.slice(Math.max(0, at - 2), at + 4)) this.draw(each);
  }

  /** Draws all turns in slices. False if all of them are already drawn. */
  drawAll(over: () => void): boolean {
    const left = this.all.filter((place) => !place.drawn);
    const slice = () => {
      const start = performance.now();
      const kept = Math.max(0, left.length - SLICE_TURNS);
      while (left.length > 0 && (left.length > kept || performance.now() - start < SLICE_MS)) {
        const place = left.pop();
        if (place && this.byTurn.get(place.turn.id) === place) this.draw(place);
      }
      if (left.length > 0) setTimeout(slice);
      else over();
    };
    if (left.length > 0) setTimeout(slice);
    return left.length > 0;
  }

  /** The first turn that extends below `top`, in viewport pixels. */
  firstBelow(top: number): TurnPlace | undefined {
    const { all } = this;
    let [low, high] = [0, all.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      const bottom = all[middle]?.element.getBoundingClientRect().bottom ?? 0;
      if (bottom > top) high = middle;
      else low = middle + 1;
    }
    return all[low];
  }

  private newPlace(turn: Turn): TurnPlace {
    const name = turn.role === "user" ? t("You") : "Graft";
    const attributes = { "aria-label": name, "aria-busy": "true" };
    const element = h("article", { class: `turn turn-${turn.role} undrawn`, attributes });
    element.append(
      h("h2", { class: turn.role === "user" ? "hidden-word" : "turn-name hidden-word" }, name),
    );
    const versions = h("div", { class: "versions-place" });
    element.append(versions);
    const place = { turn, element, versions, view: null, drawn: false };
    this.byElement.set(element, place);
    this.near.observe(element);
    return place;
  }

  private remove(place: TurnPlace): void {
    place.element.remove();
    this.near.unobserve(place.element);
    this.due.delete(place);
  }

  private draw(place: TurnPlace): void {
    if (place.drawn) return;
    place.drawn = true;
    this.near.unobserve(place.element);
    this.due.delete(place);
    if (place.turn.role === "user") place.versions.before(userTurnView(place.turn, this.context));
    else {
      place.view = new AgentTurnView(place.turn, this.context);
      place.versions.before(place.view.element);
    }
    place.element.classList.remove("undrawn");
    place.element.removeAttribute("aria-busy");
    this.drawn(place);
  }

  private moved(entries: readonly IntersectionObserverEntry[]): void {
    for (const { target, isIntersecting } of entries) {
      const place = this.byElement.get(target);
      if (place && isIntersecting) this.due.add(place);
      else if (place) this.due.delete(place);
    }
    this.drawDue();
  }

  private drawDue(): void {
    if (this.drawsDue || this.due.size === 0) return;
    this.drawsDue = true;
    requestAnimationFrame(() => {
      this.drawsDue = false;
      const start = performance.now();
      for (const place of this.byNearness()) {
        this.draw(place);
        if (performance.now() - start > SLICE_MS) break;
      }
      this.drawDue();
    });
  }

  /** The turns to draw, visible ones first. */
  private byNearness(): readonly TurnPlace[] {
    const middle = window.innerHeight / 2;
    const distance = ({ element }: TurnPlace) => {
      const { top, bottom } = element.getBoundingClientRect();
      return Math.max(0, top - middle, middle - bottom);
    };
    const measured = [...this.due].map((place) => ({ place, away: distance(place) }));
    return measured.sort((a, b) => a.away - b.away).map(({ place }) => place);
  }
}
