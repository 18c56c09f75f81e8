import * as z from "zod/mini";
import { visibleLine } from "../../base/text/visibleText.ts";
import { defineTool } from "../defineTool.ts";
import { failed } from "../messages.ts";
import { NOTES } from "../notes.ts";
import type { Tool, ToolResult } from "../tool.ts";
import { type Web, type WebPage, webAddress } from "./web.ts";

const TIMEOUT_MS = 40_000;

const schema = z.object({
  url: z.string().check(z.minLength(1), z.maxLength(2_000), z.describe("http or https.")),
});

/** `fetch_url`: reads a page of the web. The user is asked for each host. */
export function createFetchUrl(web: Web): Tool {
  return defineTool({
    name: "fetch_url",
    description:
      "Reads a web page as Markdown, or another text of the web. The user is asked once a host. A redirect to another host is told, not followed.",
    category: "nav",
    effect: "read",
    timeoutMs: TIMEOUT_MS,
    schema,
    question({ url }, t) {
      const address = webAddress(url);
      // What is no address is refused without a question.
      if (address === null) return { summary: url };
      const { host, href } = address;
      return {
        summary: t("Read a page of {host}", { host: visibleLine(host) }),
        arguments: href,
        host,
      };
    },
    async execute({ url }, { signal }): Promise<ToolResult> {
      const address = webAddress(url);
      if (address === null)
        return failed("not-fetched", { url, failure: { code: "not-a-web-address" } });
      const page = await web.read(address, signal);
      if (!page.ok) return failed("not-fetched", { url: address.href, failure: page.error });
      return { ok: true, output: pageText(address, page.value) };
    },
  });
}

/** A page as the model reads it: where it is from, what it is, and its text. */
export function pageText(asked: URL, { url, title, text, isCut }: WebPage): string {
  return [
    NOTES.page(url, url === asked.href ? null : asked.href),
    ...(title === "" ? [] : [`# ${title}`]),
    text,
    ...(isCut ? [NOTES.pageCut] : []),
  ].join("\n\n");
}
