import assert from "node:assert/strict";
import { PanelStore } from "../../../webview/panelStore.ts";
import { readyStatus } from "../../ui/panelPage.ts";

describe("what the panel knows", () => {
  it("has no status before a chat is shown, so that what is sent until then waits", () => {
    const posted: unknown[] = [];
    const store = new PanelStore(
      {
        postMessage: (message) => posted.push(message),
        getState: () => undefined,
        setState: (state) => state,
      },
      (task) => task(),
    );
    store.receive({ type: "status", status: readyStatus });
    assert.equal(store.status, null);
    store.receive({ type: "snapshot", chatId: "a", events: [], status: readyStatus });
    assert.notEqual(store.status, null);
    store.send("Hello");
    assert.equal(store.outgoing.length, 1);
    assert.equal(posted.length, 1);
  });
});
