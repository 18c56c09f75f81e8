import { type ModelServer, startModelServer } from "../fakes/modelServer.ts";
import { openPanel, screenshot, type Workbench } from "../ui/workbench.ts";
import { planAnswer } from "./answerPlan.ts";
import { type BusyMachine, busyMachine } from "./busyMachine.ts";
import { count, failWith, outOfTime, SEED } from "./campaign.ts";
import { type PacedModel, pacedModel } from "./pacedModel.ts";
import { playAnswer } from "./playAnswer.ts";
import { closeEverything, newChat, openLoadWindow } from "./screen.ts";
import { seededRandom } from "./seededRandom.ts";

describe("answers reviewed on a busy machine, in a real VS Code", () => {
  let server: ModelServer;
  let model: PacedModel;
  let workbench: Workbench;
  let machine: BusyMachine | null = null;

  before(async function () {
    this.timeout(120_000);
    model = pacedModel();
    server = await startModelServer(model.handler);
    workbench = await openLoadWindow({}, { "graft.baseUrl": server.url, "graft.model": "test-model" });
    await openPanel(workbench.page);
    machine = await busyMachine(workbench.page);
  });

  after(async () => {
    machine?.end();
    await workbench?.close();
    await server?.close();
  });

  it("hold what the model wrote, and the user's own changes as the user's", async function () {
    this.timeout(0);
    const { page } = workbench;
    const wrong: string[] = [];
    const wanted = count("ANSWERS", 40);
    let number = 0;
    while (number < wanted && (number === 0 || !outOfTime("ANSWERS", 105))) {
      number++;
      const random = seededRandom(SEED * 1000 + number);
      const plan = planAnswer(random, number);
      const actions: string[] = [];
      const began = Date.now();
      try {
        await playAnswer({ workbench, model, random, plan, did: (what) => actions.push(`${Date.now() - began} ms: ${what}`) });
        if (process.env.GRAFT_LOAD_TRACE) console.log(actions.join("\n"));
        console.log(`      answer ${number}: ${plan.files.length} files, ${actions.length} actions, ${Date.now() - began} ms`);
        await closeEverything(page);
        if (number % 5 === 0) await newChat(page);
      } catch (error) {
        await screenshot(page, `load-answer-${number}`);
        wrong.push(`answer ${number}, seed ${SEED}:\n${actions.join("\n")}\n${String(error)}`);
        console.log(`      answer ${number}: wrong\n${wrong.at(-1)}`);
        for (const { path } of plan.files) model.release(path);
        await machine?.reload();
        await closeEverything(page);
        await newChat(page);
      }
    }
    failWith(wrong, number, "answers");
  });
});
