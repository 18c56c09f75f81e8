import { type ChildProcess, spawn } from "node:child_process";
import { availableParallelism } from "node:os";
import type { Page } from "playwright-core";
import { openPanel } from "../ui/workbench.ts";

/** How many times slower the page's renderer runs. */
const RENDERER_SLOWDOWN = 4;

/** A loop that ends by itself once the process that started it is gone, however that was ended. */
const LOOP = "const parent=process.ppid;while(process.ppid===parent)for(let i=0;i<1e7;i++);";

/** A machine that has much else to do. */
export interface BusyMachine {
  /**
   * Reloads the page and shows the panel, with a renderer as fast as it is: that takes minutes
   * otherwise.
   */
  reload(): Promise<void>;
  end(): void;
}

const idle = process.env.GRAFT_LOAD_IDLE === "1";

/**
 * Keeps every core busy until the result is called, or until the end of this process.
 * GRAFT_LOAD_IDLE=1 leaves them.
 */
export function busyCores(): () => void {
  const { GRAFT_LOAD_LOOPS: asked = availableParallelism() } = process.env;
  const loops: ChildProcess[] = Array.from({ length: idle ? 0 : Number(asked) }, () =>
    spawn(process.execPath, ["-e", LOOP], { stdio: "ignore", detached: false }),
  );
  const end = () => {
    for (const loop of loops) loop.kill("SIGKILL");
    process.off("exit", end);
  };
  process.on("exit", end);
  return end;
}

/** {@link busyCores}, with a slow renderer of the page. */
export async function busyMachine(page: Page): Promise<BusyMachine> {
  const end = busyCores();
  const session = await page.context().newCDPSession(page);
  const slowDown = (rate: number) => session.send("Emulation.setCPUThrottlingRate", { rate });
  const slow = () => slowDown(idle ? 1 : RENDERER_SLOWDOWN);
  await slow();
  return {
    async reload() {
      await slowDown(1);
      await page.reload();
      await openPanel(page);
      await slow();
    },
    end,
  };
}
