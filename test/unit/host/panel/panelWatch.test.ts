import assert from "node:assert/strict";
import { PanelWatch } from "../../../../src/host/panel/panelWatch.ts";

describe("the watch over the panel", () => {
  it("offers once to reload a visible panel that stays silent, and never a hidden one", () => {
    let [visible, asked, offered] = [true, 0, 0];
    const watch = new PanelWatch(
      () => visible,
      () => void asked++,
      () => void offered++,
    );
    const wait = (times: number) => {
      for (let time = 0; time < times; time++) watch.tick();
    };
    wait(5);
    watch.answered();
    wait(6);
    assert.deepEqual([asked, offered], [11, 0]);
    visible = false;
    wait(20);
    assert.equal(offered, 0);
    visible = true;
    wait(30);
    assert.equal(offered, 1);
    watch.answered();
    wait(10);
    assert.equal(offered, 2);
  });
});
