import { once } from "node:events";
import { createServer } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import { ask, composer, openPanel, openWorkbench, panel } from "../ui/workbench.ts";
import { pack, quantile } from "./packed.ts";

const PER_SECOND = 200;
const SECONDS = 10;

/** A model that sends the time instead of words, at a steady pace: each chunk is the milliseconds since 1970 when it was sent. */
async function startClock(): Promise<{ url: string; close(): void }> {
  const server = createServer(async (_request, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    const began = Date.now();
    for (let sent = 0; sent < PER_SECOND * SECONDS; ) {
      const due = Math.floor(((Date.now() - began) / 1000) * PER_SECOND);
      for (; sent < due; sent++) {
        const content = `@${Date.now()} ${sent % 10 === 9 ? "\n\n" : ""}`;
        response.write(
          `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content }, finish_reason: null }] })}\n\n`,
        );
      }
      await delay(2);
    }
    response.write(
      `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content: "\n\nover" }, finish_reason: "stop" }] })}\n\n`,
    );
    response.end("data: [DONE]\n\n");
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return {
    url: `http://127.0.0.1:${address.port}/v1`,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

async function main(): Promise<void> {
  await pack();
  const clock = await startClock();
  const workbench = await openWorkbench({
    settings: { "graft.baseUrl": clock.url, "graft.model": "clock" },
    files: { "a.txt": "a\n" },
  });
  try {
    const { page } = workbench;
    await openPanel(page);
    const frame = await (await composer(page).elementHandle())?.ownerFrame();
    if (!frame) throw new Error("the panel has no frame");
    // As text: what tsx makes of a function does not run in the page.
    await frame.evaluate(`(() => {
      const seen = { latencies: [], perFrame: [], messages: 0, chunks: 0 };
      window.seen = seen;
      let inFrame = 0;
      window.addEventListener("message", (event) => {
        if (event.data?.type !== "events") return;
        seen.messages++;
        inFrame++;
        const times = [...JSON.stringify(event.data.events).matchAll(/@(\\d{13})/g)].map((match) => Number(match[1]));
        seen.chunks += times.length;
        // The first frame after the message draws it; a task behind that frame runs when it has been painted.
        requestAnimationFrame(() => setTimeout(() => { const now = Date.now(); for (const time of times) seen.latencies.push(now - time); }, 0));
      });
      const tick = () => { if (inFrame > 0) seen.perFrame.push(inFrame); inFrame = 0; requestAnimationFrame(tick); };
      requestAnimationFrame(tick);
    })()`);
    await ask(page, "What time is it?");
    await panel(page)
      .getByText("over", { exact: true })
      .waitFor({ timeout: (SECONDS + 30) * 1000 });
    const seen: { latencies: number[]; perFrame: number[]; messages: number; chunks: number } =
      await frame.evaluate("window.seen");
    const { latencies, perFrame, messages, chunks } = seen;
    console.log(
      `  ${PER_SECOND} chunks a second for ${SECONDS} s: ${chunks} chunks arrived in ${messages} messages of the host`,
    );
    console.log(
      `  messages per drawn frame: median ${quantile(perFrame, 0.5)}, p99 ${quantile(perFrame, 0.99)}, max ${Math.max(...perFrame)}`,
    );
    console.log(
      `  messages per second: ${(messages / SECONDS).toFixed(1)} (a frame is 16 ms: at most 62.5)`,
    );
    console.log(
      `  from the server's write to the painted frame: median ${quantile(latencies, 0.5)} ms, p95 ${quantile(latencies, 0.95)} ms`,
    );
  } finally {
    await workbench.close();
    clock.close();
  }
}

void main();
