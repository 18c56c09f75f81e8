import { type ModelServer, startModelServer } from "../fakes/model/modelServer.ts";
import { openPanel, type Workbench } from "../ui/workbench.ts";
import { type BusyMachine, busyMachine } from "./busyMachine.ts";
import { type PacedModel, pacedModel } from "./pacedModel.ts";
import { openLoadWindow } from "./screen.ts";

/** A window with Graft's panel on a busy machine, and the model that answers it. */
export interface BusyWindow {
  readonly workbench: Workbench;
  readonly model: PacedModel;
  readonly machine: BusyMachine;
}

/**
 * Opens a window before the tests of the suite that calls this, and closes it after them. What it
 * returns is filled in by then.
 */
export function busyWindow(): BusyWindow {
  const model = pacedModel();
  let server: ModelServer | null = null;
  let workbench: Workbench | null = null;
  let machine: BusyMachine | null = null;
  const opened = <T>(value: T | null): T => {
    if (value === null) throw new Error("The window is not open.");
    return value;
  };

  before(async () => {
    server = await startModelServer(model.handler);
    workbench = await openLoadWindow(
      {},
      { "graft.baseUrl": server.url, "graft.model": "test-model" },
    );
    await openPanel(workbench.page);
    machine = await busyMachine(workbench.page);
  });

  after(async () => {
    machine?.end();
    await workbench?.close();
    await server?.close();
  });

  return {
    model,
    get workbench() {
      return opened(workbench);
    },
    get machine() {
      return opened(machine);
    },
  };
}
