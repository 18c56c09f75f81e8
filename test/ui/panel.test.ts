import assert from "node:assert/strict";
import { TurnScript } from "../fakes/turns/turnScript.ts";
import { fullTurn } from "./fullTurn.ts";
import { readyStatus } from "./panelPage.ts";
import { withPanel } from "./withPanel.ts";

describe("The panel in a browser", () => {
  const panel = withPanel();

  it("is at most 600 kB and reports that it is ready", async () => {
    const size = panel.files.get("main.js")?.body.length ?? 0;
    assert.ok(size > 0 && size <= 600_000, `the script has ${size} bytes`);
    assert.deepEqual(await panel.sent(), [{ type: "ready" }]);
  });

  it("sends what was sent before the host answers, unless it was changed since", async () => {
    const box = panel.page.getByLabel("Message to Graft");
    const sent = async () => (await panel.posted()).filter(({ type }) => type === "send");
    for (const [later, expected] of [
      [" and not yet", []],
      ["", ["too early"]],
    ] as const) {
      await panel.page.reload();
      await box.fill("too early");
      await box.press("Enter");
      assert.deepEqual(await sent(), []);
      if (later !== "") await box.pressSequentially(later);
      await panel.snapshot([]);
      assert.deepEqual(
        (await sent()).map((message) => message.type === "send" && message.text),
        expected,
      );
      assert.equal(await box.inputValue(), later === "" ? "" : `too early${later}`);
    }
  });

  it("offers modes once the host has told the chat, since they are chosen for it", async () => {
    const mode = panel.page.getByRole("combobox", { name: "Mode" });
    await panel.page.reload();
    await mode.waitFor();
    assert.ok(await mode.isDisabled());
    await panel.snapshot([]);
    assert.ok(await mode.isEnabled());
    assert.equal(await mode.inputValue(), "edit");
  });

  it("shows a message and New Chat with the key, before the host answers, and takes back what was refused", async () => {
    await panel.snapshot(new TurnScript().ask("Old question").text("Old answer").end().events);
    const box = panel.page.getByLabel("Message to Graft");
    const bubble = (text: string) => panel.page.locator(".turn-user", { hasText: text });
    await box.fill("/new and then this");
    await box.press("Enter");
    assert.equal(await bubble("Old question").count(), 0);
    assert.ok(await bubble("and then this").isVisible());
    const [fresh, sent] = (await panel.posted()).slice(-2);
    assert.ok(
      fresh?.type === "new-chat" && sent?.type === "send" && sent.chatId === fresh.chatId,
      "it names the new chat",
    );
    await panel.post({ type: "snapshot", chatId: fresh.chatId, events: [], status: readyStatus });
    assert.ok(await bubble("and then this").isVisible());
    const script = new TurnScript().ask("and then this");
    const events = script.events.map((event) =>
      event.type === "turn-start" ? { ...event, messages: [sent.id] } : event,
    );
    await panel.post({ type: "events", chatId: fresh.chatId, after: 0, events });
    assert.equal(await bubble("and then this").count(), 1);
    await box.fill("refuse me");
    await box.press("Enter");
    assert.equal(await box.inputValue(), "");
    const refused = (await panel.posted()).at(-1);
    assert.ok(refused?.type === "send");
    await panel.post({ type: "settled", id: refused.id, refused: true });
    assert.equal(await box.inputValue(), "refuse me");
    assert.equal(await bubble("refuse me").count(), 0);
  });

  it("shows the translations in the page, and English for the rest", async () => {
    await panel.reopen({ l10n: { Send: "Senden" } });
    await panel.snapshot([]);
    assert.ok(await panel.page.getByRole("button", { name: "Senden", exact: true }).isVisible());
    assert.ok(await panel.page.getByLabel("Message to Graft").isVisible());
  });

  it("explains demo mode and puts an example into the composer", async () => {
    await panel.snapshot([], { ...readyStatus, demo: true, model: "Demo" });
    assert.ok(
      await panel.page
        .getByText("Demo mode: scripted answers, no AI. The edits are real.")
        .isVisible(),
    );
    assert.equal(await panel.page.locator(".example").count(), 2);
    const box = panel.page.getByLabel("Message to Graft");
    const [first, second] = [
      panel.page.locator(".example").first(),
      panel.page.locator(".example").last(),
    ];
    await first.click();
    assert.equal(await box.inputValue(), "Add a doc comment to each exported function");
    await second.click();
    assert.equal(await box.inputValue(), "Explain the outline of this file", "in its place");
    await box.press("End");
    await box.pressSequentially(", please");
    await first.click();
    assert.equal(
      await box.inputValue(),
      "Explain the outline of this file, please\n\nAdd a doc comment to each exported function",
      "what the user wrote stays",
    );
  });

  it("offers the models that were found until one is chosen, and looks for them once", async () => {
    const local = {
      source: "local",
      from: "Ollama",
      model: "qwen3:8b",
      label: "qwen3:8b",
    } as const;
    const unchosen = { ...readyStatus, demo: true, model: "Demo", chosen: false };
    await panel.snapshot([], unchosen);
    await panel.page.getByText("Looking for models on this machine…").waitFor();
    await panel.post({
      type: "status",
      status: {
        ...unchosen,
        offers: [{ ...local, source: "vscode-lm", from: "copilot", label: "GPT-5 mini" }, local],
      },
    });
    await panel.page.getByRole("button", { name: "Use GPT-5 mini from Copilot" }).waitFor();
    await panel.page.getByRole("button", { name: "Use qwen3:8b on this machine" }).click();
    await panel.page.getByRole("button", { name: "Enter an API key" }).click();
    await panel.page.getByRole("button", { name: "Try demo mode" }).click();
    assert.deepEqual((await panel.sent()).slice(1), [
      { type: "find-models" },
      { type: "take-offer", offer: local },
      { type: "enter-api-key" },
      { type: "try-demo" },
    ]);
    await panel.post({ type: "status", status: readyStatus });
    await panel.page.locator(".example").first().waitFor();
    assert.equal(await panel.page.locator(".offer").count(), 0);
  });

  it("offers to manage trust and to set a key", async () => {
    await panel.snapshot([], { ...readyStatus, trusted: false, keyMissing: true });
    await panel.page.getByText("Manage trust").click();
    await panel.page.getByRole("button", { name: "Set API key" }).click();
    assert.deepEqual((await panel.sent()).slice(1), [
      { type: "manage-trust" },
      { type: "set-api-key" },
    ]);
  });

  it("fits into 200 pixels without a horizontal scroll bar", async () => {
    await panel.page.setViewportSize({ width: 200, height: 600 });
    const wide = () =>
      panel.page.evaluate(
        "[...document.querySelectorAll('.scroller, #root, .composer, .composer-bar')].filter((e) => e.scrollWidth > e.clientWidth).length",
      );
    await panel.snapshot(fullTurn().end().events, {
      ...readyStatus,
      trusted: false,
      keyMissing: true,
    });
    assert.equal(await wide(), 0);
    await panel.snapshot(fullTurn().events, { ...readyStatus, busy: true });
    assert.equal(await wide(), 0, "while a turn runs");
  });

  it("can be used with the keyboard alone", async () => {
    await panel.snapshot(fullTurn().events, { ...readyStatus, busy: true });
    const reached = await panel.page.evaluate("(() => { document.body.focus(); return true; })()");
    assert.ok(reached);
    const names = new Set<string>();
    for (let press = 0; press < 30; press++) {
      await panel.page.keyboard.press("Tab");
      names.add(
        String(
          await panel.page.evaluate(
            "document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent",
          ),
        ),
      );
    }
    for (const name of ["shapes.ts src", "Message to Graft", "Stop"]) {
      assert.ok(names.has(name), `${name} is not among ${[...names].join(" | ")}`);
    }
  });
});
