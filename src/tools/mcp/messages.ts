import { english, type Localize } from "../../base/localize.ts";
import { sentence } from "../../base/text/sentence.ts";
import type { McpProblem } from "../../ports/mcp.ts";

/** What to tell the user or, in English, the model about an MCP server that cannot be used. */
export function mcpProblemMessage(problem: McpProblem, t: Localize = english): string {
  switch (problem.code) {
    case "invalid-json":
      return t("{place} is not valid JSON (line {line}: {detail}).", problem);
    case "invalid-file":
      return t("{place} is not valid: {detail}.", problem);
    case "invalid-server":
      return t("The MCP server {name} of {place} is not valid: {detail}.", problem);
    case "name-taken":
      return t("Two MCP servers are named {name}. Graft uses only the first.", problem);
    case "no-values":
      return t("The MCP server {name} was not started: there is no value for {variables}.", {
        name: problem.name,
        variables: problem.variables.map((variable) => `\${${variable}}`).join(", "),
      });
    case "no-env-file":
      return t(
        "The MCP server {name} was not started: its envFile {file} cannot be read ({detail}).",
        problem,
      );
    case "no-http-address":
      return t(
        "The MCP server {name} cannot be reached: its url is not an http or https address.",
        problem,
      );
    case "unencrypted-key":
      return t(
        "The MCP server {name} was not started: a key would travel to it unencrypted. Give it an https:// address, or set unencryptedKey for it.",
        problem,
      );
    case "unauthorized":
      return unauthorizedText(problem, t);
    case "sign-in-needed":
      return t("The MCP server {name} wants you to sign in.", { name: problem.name });
    case "not-signed-in":
      return notSignedInText(problem, t);
    case "not-started":
      return notStartedText(problem, t);
    case "still-starting":
      return t(
        "The MCP server {name} is still starting. The model gets its tools with a later message.",
        problem,
      );
    case "start-timeout":
      return t("The MCP server {name} could not be started: it timed out.", problem);
    case "tools-left-out":
      return t(
        "The MCP server {name} describes tools in a way that cannot be used, so the model does not see them: {tools}.",
        { name: problem.name, tools: problem.tools.join(", ") },
      );
    case "too-many-tools":
      return t(
        "The MCP servers have {total} tools in total. The model sees the first {shown}.",
        problem,
      );
  }
}

function unauthorizedText(
  { name, status }: McpProblem & { code: "unauthorized" },
  t: Localize,
): string {
  const header = `"headers": { "Authorization": "Bearer \${input:token}" }`;
  return t(
    "The MCP server {name} refused the request (HTTP {status}). Check the token in its header, which can come from an input: {header}.",
    { name, status, header },
  );
}

function notSignedInText(
  { name, why, detail }: McpProblem & { code: "not-signed-in" },
  t: Localize,
): string {
  if (why === "cancelled") return t("Signing in to the MCP server {name} was canceled.", { name });
  if (why === "no-page") return t("The MCP server {name} does not say where to sign in.", { name });
  return t("You are not signed in to the MCP server {name}: {detail}", {
    name,
    detail: sentence(detail || t("no reason given")),
  });
}

function notStartedText(
  { name, detail, wrote }: McpProblem & { code: "not-started" },
  t: Localize,
): string {
  const facts = { name, detail: sentence(detail), wrote: sentence(wrote) };
  return wrote === ""
    ? t("The MCP server {name} could not be started: {detail}", facts)
    : t("The MCP server {name} could not be started: {detail} It wrote: {wrote}", facts);
}
