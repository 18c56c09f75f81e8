import * as z from "zod/mini";
import { branch, lastMeasured } from "../src/turns/branch.ts";
import { todosOf } from "../src/turns/plan/todosOf.ts";
import { announcementsOf } from "./announcements.ts";
import { showBehind } from "./cards/fileCard.ts";
import { Composer } from "./composer/composer.ts";
import { registerControls } from "./controls.ts";
import { h, LiveRegion } from "./dom.ts";
import { createCodeHighlighter } from "./markdown/codeHighlighter.ts";
import { createDiagramDrawer } from "./markdown/diagramDrawer.ts";
import { followLinks } from "./markdown/renderMarkdown.ts";
import { createTypesetter } from "./markdown/typesetter.ts";
import { withPageStorage } from "./pageStorage.ts";
import type { PanelContext } from "./panelContext.ts";
import { PanelStore } from "./panelStore.ts";
import { keepColorsReadable } from "./readableColors.ts";
import { Banner } from "./transcript/banner.ts";
import { EmptyState } from "./transcript/emptyState.ts";
import { OtherChats } from "./transcript/otherChats.ts";
import { Transcript } from "./transcript/transcript.ts";

// The panel's content security policy forbids eval, which zod would try.
z.config({ jitless: true });
registerControls();
keepColorsReadable();

const STARTS_TURN = new Set(["send-queued", "resend", "retry"]);

const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.content ?? "";
const scripts = document.body.dataset.scripts ?? null;
const { kept } = document.body.dataset;
const store = new PanelStore(
  kept === undefined
    ? acquireVsCodeApi()
    : withPageStorage(acquireVsCodeApi(), kept, [() => sessionStorage, () => localStorage]),
  (task) => void requestAnimationFrame(task),
  document.body.dataset.place === "tab",
);
const liveRegion = new LiveRegion();
const context: PanelContext = {
  post: (message) => {
    // A request scrolls to its answer; a queued message does not.
    if (!context.busy() && STARTS_TURN.has(message.type)) transcript.showEnd();
    store.post(message);
  },
  send: (text, attached, chatId) => {
    store.send(text, attached, chatId);
    if (!context.busy()) transcript.showEnd();
  },
  newChat: () => store.newChat(),
  setMode: (mode) => store.setMode(mode),
  announce: (text) => liveRegion.announce(text),
  explain: (sentence) => composer.explain(sentence),
  busy: () => store.status?.busy ?? false,
  requests: () => [
    ...branch(store.tree, store.tree.headTurnId).flatMap((turn) =>
      turn.role === "user" ? [turn.text] : [],
    ),
    ...store.outgoing.map(({ text }) => text),
  ],
  answers: () =>
    [...store.tree.turns.values()].flatMap((turn) =>
      turn.role === "agent" && !turn.within ? [turn] : [],
    ),
  agentTurn: (turnId) => {
    const turn = store.tree.turns.get(turnId);
    return turn?.role === "agent" ? turn : null;
  },
  chatState: (chatId) => store.status?.chats?.find((chat) => chat.chatId === chatId)?.state ?? null,
  formKept: (key) => store.savedState.forms[key] ?? null,
  keepForm: (key, values) => store.keepForm(key, values),
  isBehind: (path) => store.status?.behind.includes(path) ?? false,
  isProtected: (path) =>
    store.status?.pending.some((file) => file.protected === true && file.path === path) ?? false,
  highlight: createCodeHighlighter(scripts && `${scripts}/highlight.js`, nonce),
  typeset: createTypesetter(scripts, nonce),
  drawDiagram: createDiagramDrawer(scripts, nonce),
};

const composer = new Composer(context, store.savedState, (draft) => store.save(draft));
const empty = new EmptyState(context, (text) => composer.showExample(text));
const banner = new Banner(context);
const otherChats = new OtherChats(context);
const transcript = new Transcript(store, context, empty.element);
const root = document.getElementById("root") ?? document.body;
root.append(
  h("h1", { class: "hidden-word" }, "Graft"),
  banner.element,
  otherChats.element,
  transcript.element,
  composer.element,
  liveRegion.element,
);
followLinks(root, context);

const announced = new Set<string>();
const showQueue = () => {
  const { queued } = store.tree;
  const sending = queued.filter(({ id }) => store.isSending(id));
  composer.showQueue(
    sending.length === 0 ? queued : queued.filter((message) => !sending.includes(message)),
    [...sending, ...store.outgoing.filter((message) => message.queued)],
  );
};
const showPlan = () =>
  composer.showPlan(store.mode, todosOf(branch(store.tree, store.tree.headTurnId)));
window.addEventListener("message", (event: MessageEvent<unknown>) => {
  // The frame of diagrams has no origin, and is not the host.
  if (event.origin !== "null") store.receive(event.data);
});
/** Draws, and moves the focus to the composer where what had it is gone. */
function keepingFocus(draw: () => void): void {
  const before = document.activeElement;
  draw();
  const { activeElement, body } = document;
  const isLost =
    activeElement === body ? before !== body : activeElement?.closest("[hidden]") !== null;
  if (isLost && document.hasFocus()) composer.focus();
}

store.start({
  reset() {
    keepingFocus(() => {
      showQueue();
      showPlan();
      composer.showContext(lastMeasured(store.tree));
      transcript.reset();
    });
  },
  status(status) {
    keepingFocus(() => {
      banner.update(status);
      otherChats.update(status.chats);
      empty.update(status);
      composer.update(status);
      showPlan();
      showBehind(transcript.element, context);
    });
  },
  outgoing() {
    showQueue();
    transcript.showOutgoing();
  },
  frame(changes) {
    keepingFocus(() => {
      showQueue();
      showPlan();
      composer.showContext(lastMeasured(store.tree));
      transcript.draw(changes);
    });
    for (const sentence of announcementsOf(store.tree, changes, announced))
      liveRegion.announce(sentence);
  },
  focusComposer: () => composer.focus(),
  find: (text) => transcript.find(text),
  compose: (text, attached) => composer.suggest(text, attached),
  context: (message) => composer.attachments.receive(message),
  candidates: (message) => {
    if (message.type === "draft-to-models") composer.sendToModels();
    else if (message.type === "draft-sent") composer.sent(message.text);
    else transcript.receive(message);
  },
  voice: (message) => composer.voice.receive(message),
});
composer.attachments.chips.add(store.savedState.attached);
composer.attachments.takeDrops(document.body);
