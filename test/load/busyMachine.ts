import { type ChildProcess, spawn } from "node:child_process";
import { availableParallelism } from "node:os";
import type { Page } from "playwright-core";

/** How many times slower the page's renderer runs. */
const RENDERER_SLOWDOWN = 4;

/** A loop that ends by itself once the process that started it is gone, however that was ended. */
const LOOP = "const parent=process.ppid;while(process.ppid===parent)for(let i=0;i<1e7;i++);";

/** A machine that has much else to do. */
export interface BusyMachine {
  /** Slows the page down again after a reload. */
  renew(): Promise<void>;
  end(): void;
}

/** Keeps every core busy and slows the page's renderer down, until the end of this process at the latest. GRAFT_LOAD_IDLE=1 leaves both. */
export async function busyMachine(page: Page): Promise<BusyMachine> {
  if (process.env.GRAFT_LOAD_IDLE === "1") return { renew: async () => undefined, end: () => undefined };
  const loops: ChildProcess[] = Array.from({ length: availableParallelism() }, () =>
    spawn(process.execPath, ["-e", LOOP], { stdio: "ignore", detached: false }),
  );
  const end = () => {
    for (const loop of loops) loop.kill("SIGKILL");
    process.off("exit", end);
  };
  process.on("exit", end);
  const session = await page.context().newCDPSession(page);
  const renew = async () => {
    await session.send("Emulation.setCPUThrottlingRate", { rate: RENDERER_SLOWDOWN });
  };
  await renew();
  return { renew, end };
}
