import assert from "node:assert/strict";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { Page } from "playwright-core";
import * as z from "zod/mini";
import { type ModelServer, startModelServer } from "../fakes/model/modelServer.ts";
import { screenshot } from "../ui/screenshot.ts";
import { openFile, openPanel, until, type Workbench } from "../ui/workbench.ts";
import { openLoadWindow, pressFor, send } from "./screen.ts";

/** It measures, so it runs only where that is asked for: GRAFT_CHATS=20. */
const CHATS = Number(process.env.GRAFT_CHATS ?? 0);
const KEYS = 60;
/** Milliseconds between two pieces of an answer: about 50 a second, in each chat. */
const PIECE_MS = 20;
/** What a key press may wait for the host, in milliseconds. */
const GOAL_MS = 200;

const measuredSchema = z.object({ heard: z.array(z.number()), late: z.array(z.number()) });

/** A long answer: prose for most chats, for every fourth one a file that it writes. */
const PROSE = "The quick brown fox jumps over the lazy dog, and then some more of it.\n\n".repeat(
  4_000,
);
const CODE = `\`\`\`text\n${"export const value = 1; // one more line of it\n".repeat(6_000)}\`\`\`\n`;

describe(`${CHATS} chats that stream at once, in a real VS Code`, () => {
  let workbench: Workbench;
  let server: ModelServer;
  let streams = 0;

  before(async function () {
    if (CHATS === 0) this.skip();
    this.timeout(600_000);
    server = await startModelServer(({ body }) => {
      const asked = JSON.stringify(body.messages.at(-1)?.content ?? "");
      const file = /Write (\S+\.txt)/.exec(asked)?.[1];
      if (file !== undefined && body.messages.at(-1)?.role === "user")
        return {
          toolCalls: [{ name: "edit_mode", args: { file_path: file, complete_file: true } }],
        };
      streams++;
      const text = body.messages.some(({ role }) => role === "tool") ? CODE : PROSE;
      return { text, pace: () => delay(PIECE_MS) };
    });
    workbench = await openLoadWindow(
      { "keys.txt": "\n" },
      { "graft.baseUrl": server.url, "graft.model": "test-model" },
      "hostDelay",
    );
    await openPanel(workbench.page);
  });
  after(async () => {
    await workbench?.close();
    await server?.close();
  });

  /** Types, and gives how late the host was: by key press, and by its own clock. */
  async function measure(page: Page, name: string) {
    const take = async (as: string) => {
      const result = path.join(workbench.home, `${as}.json`);
      fs.writeFileSync(path.join(workbench.home, "measure.txt"), as);
      await until("the host has told", () => fs.existsSync(result));
      return measuredSchema.parse(JSON.parse(fs.readFileSync(result, "utf8")));
    };
    await openFile(page, "keys.txt");
    await page.locator(".editor-instance .view-lines").first().click();
    await take(`${name}-before`);
    const pressed: number[] = [];
    for (let key = 0; key < KEYS; key++) {
      pressed.push(Date.now());
      await page.keyboard.press("x");
      await delay(50);
    }
    await until(
      "the text is typed",
      async () => (await page.locator(".view-line", { hasText: "x".repeat(KEYS) }).count()) > 0,
    );
    const { heard, late } = await take(name);
    assert.equal(heard.length, KEYS, "the host heard of every key");
    const waits = heard.map((at, key) => at - (pressed[key] ?? at));
    console.log(`    ${name}: key to host ${told(waits)}; the host's own lateness ${told(late)}`);
    console.log(
      `    load average ${os
        .loadavg()
        .map((load) => load.toFixed(1))
        .join(", ")}`,
    );
    return { waits, late };
  }

  it("leave the host free for key presses", async function () {
    this.timeout(900_000);
    const { page } = workbench;
    await measure(page, "alone");
    for (let chat = 0; chat < CHATS; chat++) {
      await pressFor(page, "newChat");
      await send(page, chat % 4 === 3 ? `Write new${chat}.txt` : `Tell me about ${chat}`);
      const wanted = chat + 1;
      await until(`chat ${wanted} streams`, () => streams >= wanted);
    }
    await screenshot(page, "many-chats");
    const { late } = await measure(page, "streaming");
    const worst = Math.max(...late);
    console.log(
      `    goal ${GOAL_MS} ms: ${worst <= GOAL_MS ? "met" : "missed"} by the host's worst`,
    );
  });
});

/** The median, the 95th percentile and the worst of some times. */
function told(times: readonly number[]): string {
  const sorted = [...times].sort((a, b) => a - b);
  const at = (part: number) => Math.round(sorted[Math.floor(part * (sorted.length - 1))] ?? 0);
  return `median ${at(0.5)} ms, 95 % ${at(0.95)} ms, worst ${at(1)} ms`;
}
