import { processIdentity } from "../../src/node/storage/processIdentity.ts";

// Prints the name of this process, and runs until it is killed.
console.log(processIdentity().name);
setInterval(() => undefined, 1000);
