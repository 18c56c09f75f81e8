import { screenshot } from "../ui/screenshot.ts";
import { planAnswer } from "./answerPlan.ts";
import { busyWindow } from "./busyWindow.ts";
import { count, failWith, outOfTime, SEED } from "./campaign.ts";
import { playAnswer } from "./playAnswer.ts";
import { randomChoices } from "./randomChoices.ts";
import { closeEverything, newChat } from "./screen.ts";

describe("answers reviewed on a busy machine, in a real VS Code", () => {
  const window = busyWindow();

  it("hold what the model wrote, and the user's own changes as the user's", async function () {
    this.timeout(0);
    const { page } = window.workbench;
    const wrong: string[] = [];
    const wanted = count("ANSWERS", 40);
    let number = 0;
    while (number < wanted && (number === 0 || !outOfTime("ANSWERS", 105))) {
      number++;
      const random = randomChoices(SEED * 1000 + number);
      const plan = planAnswer(random, number);
      const actions: string[] = [];
      const began = Date.now();
      try {
        await playAnswer({
          ...window,
          random,
          plan,
          did: (what) => actions.push(`${Date.now() - began} ms: ${what}`),
        });
        if (process.env.GRAFT_LOAD_TRACE) console.log(actions.join("\n"));
        console.log(
          `      answer ${number}: ${plan.files.length} files, ${actions.length} actions, ${Date.now() - began} ms`,
        );
        await closeEverything(page);
        if (number % 5 === 0) await newChat(page);
      } catch (error) {
        await screenshot(page, `load-answer-${number}`);
        wrong.push(`answer ${number}, seed ${SEED}:\n${actions.join("\n")}\n${String(error)}`);
        console.log(`      answer ${number}: wrong\n${wrong.at(-1)}`);
        for (const { path } of plan.files) window.model.release(path);
        await window.machine.reload();
        await closeEverything(page);
        await newChat(page);
      }
    }
    failWith(wrong, number, "answers");
  });
});
