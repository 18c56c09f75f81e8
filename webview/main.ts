import * as z from "zod/mini";
import { createCodeHighlighter } from "./codeHighlighter.ts";
import { registerControls } from "./controls.ts";
import { followLinks } from "./linkClicks.ts";
import { newsOf } from "./news.ts";
import type { PanelContext } from "./panelContext.ts";
import { PanelStore } from "./store.ts";
import { Announcer } from "./views/announcer.ts";
import { Banner } from "./views/banner.ts";
import { Composer } from "./views/composer.ts";
import { showBehind } from "./views/editCard.ts";
import { EmptyState } from "./views/emptyState.ts";
import { Transcript } from "./views/transcript.ts";

// The panel's content security policy forbids making code from text, which zod would otherwise try.
z.config({ jitless: true });
registerControls();

const BEGIN_TURNS = new Set(["send", "send-queued", "resend", "retry"]);

const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.content ?? "";
const store = new PanelStore(acquireVsCodeApi());
const announcer = new Announcer();
const context: PanelContext = {
  post: (message) => {
    // Whoever asks wants to see the answer; what is only queued leaves him where he reads.
    if (!context.busy() && BEGIN_TURNS.has(message.type)) transcript.showEnd();
    store.post(message);
  },
  announce: (text) => announcer.say(text),
  explain: (sentence) => composer.explain(sentence),
  busy: () => store.status?.busy ?? false,
  isBehind: (path) => store.status?.behind.includes(path) ?? false,
  highlight: createCodeHighlighter(document.body.dataset.highlightSrc ?? null, nonce),
};

const composer = new Composer(context, store.savedState.draft, (draft) => store.save({ draft }));
const empty = new EmptyState(context, (text) => composer.suggest(text));
const banner = new Banner(context);
const transcript = new Transcript(store, context, empty.element);
const root = document.getElementById("root") ?? document.body;
root.append(banner.element, transcript.element, composer.element, announcer.element);
followLinks(transcript.element, context);

const said = new Set<string>();
let scrollTop = store.savedState.scrollTop;
store.onReset(() => {
  composer.showQueue(store.tree.queued);
  transcript.reset(scrollTop);
  scrollTop = null;
});
store.onStatus((status) => {
  banner.update(status);
  empty.update(status);
  composer.update(status);
  showBehind(transcript.element, context);
});
store.onFrame((changes) => {
  composer.showQueue(store.tree.queued);
  transcript.draw(changes);
  for (const sentence of newsOf(store.tree, changes, said)) announcer.say(sentence);
});
store.onFocusComposer(() => composer.focus());
store.onCompose((text) => composer.suggest(text));
window.addEventListener("message", (event: MessageEvent<unknown>) => store.receive(event.data));
store.ready();
