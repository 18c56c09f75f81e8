import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { startFullServer } from "../fakes/model/fullServer.ts";
import { startProxy } from "../fakes/model/secureServer.ts";
import { saveInFront } from "../ui/editorInFront.ts";
import { ask, panel, soon, until } from "../ui/workbench.ts";
import { begin, openAiCertificate } from "./oneEditor.ts";
import {
  acceptAll,
  blocks,
  clickLens,
  picture,
  pressUntil,
  undoTurn,
  untilProposed,
  untilSaid,
  untilSeen,
} from "./review.ts";

const SHOP = ["def total(a, b):\n    return a + b\n", "def gift(a):\n    return a\n"].join("\n\n");

it("demo mode proposes comments with one click, which are rejected, accepted and undone", async () => {
  const { page, onDisk } = await begin({ files: { "shop.py": SHOP }, isNewUser: true });
  await pressUntil(
    "demo mode answers",
    panel(page).getByRole("button", { name: "Try demo mode" }),
    () => panel(page).locator(".user-text").isVisible(),
  );
  await untilProposed(page, "shop.py");
  await until("two comments wait", async () => (await blocks(page, "pending").count()) === 2);
  await picture(page, "demo-1-proposed");
  assert.equal(onDisk("shop.py"), SHOP);
  await clickLens(page, "Reject", 1, () => blocks(page, "rejected").isVisible());
  await acceptAll(page);
  await untilSeen("the second one is accepted", blocks(page, "applied"));
  const commented = SHOP.replace("def gift(a):\n", 'def gift(a):\n    """Gift."""\n');
  await until("the file has the change", () => onDisk("shop.py") === commented);
  await undoTurn(page);
  await saveInFront(page, () => onDisk("shop.py") === SHOP);
  await picture(page, "demo-2-undone");
});

it("an entered API key lists its models, one answers, and the key stays secret", async () => {
  const key = "sk-proj-4711-secret";
  const models = { "GET /v1/models": { data: [{ id: "gpt-test" }] } };
  const server = await startFullServer(models, [{ text: "Hello from OpenAI." }]);
  // The real address, through a company's proxy that ends on this machine.
  const proxy = await startProxy(server.origin, openAiCertificate);
  try {
    const { page, home } = await begin({
      files: { "a.py": "a = 1\n" },
      isNewUser: true,
      settings: { "http.proxy": proxy.url },
    });
    const box = page.locator('.quick-input-widget input[type="password"]');
    await pressUntil(
      "the key is asked for",
      panel(page).getByRole("button", { name: "Enter an API key" }),
      () => box.isVisible(),
    );
    await box.fill(key);
    await box.press("Enter");
    const row = page.locator(".quick-input-list .monaco-list-row", { hasText: "gpt-test" }).first();
    await untilSeen("the models of the key are listed", row);
    await picture(page, "key-1-models");
    await until("the model is chosen", async () => {
      await row.click({ timeout: 5_000 }).catch(() => undefined);
      return soon(
        panel(page).getByRole("button", { name: "gpt-test", exact: true }),
        "visible",
        5_000,
      );
    });
    await ask(page, "Who are you?");
    await untilSaid(page, "Hello from OpenAI.");
    await picture(page, "key-2-answered");
    const authorized = server.requests.filter(
      ({ headers }) => headers.authorization === `Bearer ${key}`,
    );
    assert.deepEqual(
      [...new Set(authorized.map(({ headers }) => headers.host))],
      ["api.openai.com"],
    );
    const { stdout } = spawnSync("grep", ["-rlsaF", "-D", "skip", "--", key, home], {
      encoding: "utf8",
    });
    assert.equal(stdout, "");
    assert.equal(((await panel(page).locator("body").textContent()) ?? "").includes(key), false);
  } finally {
    await proxy.close();
    await server.close();
  }
});
