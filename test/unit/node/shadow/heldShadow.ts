// A process that holds a shadow of a folder until it is killed: node --import tsx heldShadow.ts
// FOLDER
import { createNodeShadows } from "../../../../src/node/shadow/nodeShadows.ts";

const shadows = createNodeShadows(() => process.argv.slice(2));
void shadows
  .of("chat")
  .enter([], new AbortController().signal)
  .then(({ ok }) => console.log(`mounted ${ok}`));
setInterval(() => undefined, 1_000);
