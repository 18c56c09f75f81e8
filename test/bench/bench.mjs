// npm run bench [-- NAME ...]: every *.bench.ts of this folder, or the named ones. Figures to read,
// no verdict but for sizes.
import fs from "node:fs";
import path from "node:path";
import { installDependencies, requireNode } from "../harness/dependencies.mjs";
import { run } from "../harness/exec.mjs";
import { root } from "../harness/root.mjs";

requireNode();
await installDependencies();
const wanted = process.argv.slice(2);
const dir = path.join(root, "test/bench");
const names = fs
  .readdirSync(dir)
  .flatMap((file) => (file.endsWith(".bench.ts") ? [file.slice(0, -".bench.ts".length)] : []));
const unknown = wanted.filter((name) => !names.includes(name));
if (unknown.length > 0) {
  console.error(`No such benchmark: ${unknown.join(", ")}. There are: ${names.join(", ")}.`);
  process.exit(2);
}
let failed = 0;
for (const name of names.filter((each) => wanted.length === 0 || wanted.includes(each))) {
  console.log(`\n== ${name}`);
  if ((await run(process.execPath, ["--import", "tsx", path.join(dir, `${name}.bench.ts`)])) !== 0)
    failed = 1;
}
process.exit(failed);
