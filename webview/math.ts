import katex from "katex";
import { type DrawMath, mathReady } from "./markdown/typesetter.ts";

const draw: DrawMath = (tex, display, into) => {
  try {
    // By nodes, not markup, so that the panel's policy allows its styles. Without `trust` it makes
    // no links, images or classes of the formula's choice.
    katex.render(tex, into, {
      displayMode: display,
      throwOnError: true,
      strict: "ignore",
      trust: false,
      maxSize: 20,
      maxExpand: 300,
    });
    return true;
  } catch {
    into.replaceChildren();
    return false;
  }
};

// A separate script, loaded with the first formula. It hands over its function in an event.
window.dispatchEvent(new CustomEvent(mathReady, { detail: draw }));
