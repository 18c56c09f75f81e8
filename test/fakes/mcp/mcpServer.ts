// A small MCP server written with the SDK, on stdio: `node --import tsx test/fakes/mcp/mcpServer.ts
// [--hang-at-start | --fail | --child FILE | --heir FILE | --stubborn | --noisy | --many]`.
import { spawn } from "node:child_process";
import { appendFileSync, writeFileSync } from "node:fs";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { createTestServer } from "./mcpTestServer.ts";

const [, , flag, file] = process.argv;
const log = process.env.MCP_LOG;
if (log) appendFileSync(log, `start ${process.pid}\n`);
if (flag === "--fail") {
  console.error("first line\nthe token is missing");
  process.exit(3);
}
if (flag === "--child" && file) {
  const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], {
    stdio: "inherit",
  });
  writeFileSync(file, String(child.pid));
}
if (flag === "--heir" && file)
  process.stdin.on("end", () => {
    const heir = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], {
      stdio: "inherit",
      detached: true,
    });
    writeFileSync(file, String(heir.pid));
    process.exit();
  });
if (flag === "--stubborn") {
  process.on("SIGTERM", () => undefined);
  setInterval(() => undefined, 1_000);
}
if (flag === "--noisy") {
  const noise = () =>
    process.stdout.write(
      'Listening…\n{"jsonrpc": \n[]\n\n\u0000\n{"jsonrpc":"2.0","id":99,"result":{}}\n',
    );
  noise();
  setInterval(noise, 5);
}
if (flag === "--hang-at-start") setInterval(() => undefined, 1_000);
else {
  const server = createTestServer(
    (line) => log && appendFileSync(log, `${line}\n`),
    flag === "--many" ? 200 : 0,
  );
  void server.connect(new StdioServerTransport());
}
