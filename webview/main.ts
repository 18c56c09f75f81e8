import * as z from "zod/mini";
import { announcementsOf } from "./announcements.ts";
import { showHunkCounts } from "./cards/blockRow.ts";
import { showBehind } from "./cards/fileCard.ts";
import { Composer } from "./composer/composer.ts";
import { registerControls } from "./controls.ts";
import { LiveRegion } from "./dom.ts";
import { createCodeHighlighter } from "./markdown/codeHighlighter.ts";
import { followLinks } from "./markdown/renderMarkdown.ts";
import type { PanelContext } from "./panelContext.ts";
import { PanelStore } from "./panelStore.ts";
import { Banner } from "./transcript/banner.ts";
import { EmptyState } from "./transcript/emptyState.ts";
import { Transcript } from "./transcript/transcript.ts";

// The panel's content security policy forbids eval, which zod would try.
z.config({ jitless: true });
registerControls();

const STARTS_TURN = new Set(["send", "send-queued", "resend", "retry"]);

const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.content ?? "";
const store = new PanelStore(acquireVsCodeApi());
const liveRegion = new LiveRegion();
const context: PanelContext = {
  post: (message) => {
    // A request scrolls to its answer; a queued message does not.
    if (!context.busy() && STARTS_TURN.has(message.type)) transcript.showEnd();
    store.post(message);
  },
  announce: (text) => liveRegion.announce(text),
  explain: (sentence) => composer.explain(sentence),
  busy: () => store.status?.busy ?? false,
  hunksOf: (turnId, blockId) =>
    store.status?.pending.flatMap(({ several }) => several).find((block) => block.turnId === turnId && block.blockId === blockId)?.hunks ??
    1,
  isBehind: (path) => store.status?.behind.includes(path) ?? false,
  highlight: createCodeHighlighter(document.body.dataset.highlightSrc ?? null, nonce),
};

const composer = new Composer(context, store.savedState.draft, (draft) => store.save({ draft }));
const empty = new EmptyState(context, (text) => composer.suggest(text));
const banner = new Banner(context);
const transcript = new Transcript(store, context, empty.element);
const root = document.getElementById("root") ?? document.body;
root.append(banner.element, transcript.element, composer.element, liveRegion.element);
followLinks(transcript.element, context);

const announced = new Set<string>();
let scrollTop = store.savedState.scrollTop;
window.addEventListener("message", (event: MessageEvent<unknown>) => store.receive(event.data));
store.start({
  reset() {
    composer.showQueue(store.tree.queued);
    transcript.reset(scrollTop);
    scrollTop = null;
  },
  status(status) {
    banner.update(status);
    empty.update(status);
    composer.update(status);
    showBehind(transcript.element, context);
    showHunkCounts(transcript.element, context);
  },
  frame(changes) {
    composer.showQueue(store.tree.queued);
    transcript.draw(changes);
    for (const sentence of announcementsOf(store.tree, changes, announced)) liveRegion.announce(sentence);
  },
  focusComposer: () => composer.focus(),
  compose: (text) => composer.suggest(text),
});
