import { Deadline } from "../../base/deadline.ts";
import { err, ok, type Result } from "../../base/result.ts";
import type { WebFailure, WebPage } from "../../tools/web/web.ts";
import { pageArticle } from "./pageArticle.ts";
import { type FetchedPage, requestPage, type WebLimits } from "./requestPage.ts";

/** Milliseconds for a page with its redirects. */
const LIMIT_MS = 30_000;

/** Reads a page of the web as text: HTML as the Markdown of its article. */
export async function readPage(
  url: URL,
  limits: WebLimits,
  signal: AbortSignal,
): Promise<Result<WebPage, WebFailure>> {
  const deadline = new Deadline(signal);
  deadline.restart(LIMIT_MS);
  try {
    const page = await requestPage(url, limits, deadline.signal);
    return page.ok ? readablePage(page.value) : page;
  } finally {
    deadline.dispose();
  }
}

function readablePage({ url, type, bytes, isCut }: FetchedPage): Result<WebPage, WebFailure> {
  const start = bytes.subarray(0, 2_048).toString("latin1");
  const isHtml = /html/.test(type) || (type === "" && /<(?:!doctype html|html)\b/i.test(start));
  const isText = isHtml || /^text\/|json|xml|javascript|yaml|toml/.test(type);
  if (!isText && (type !== "" || bytes.includes(0)))
    return err({ code: "not-text", type: type.split(";")[0] ?? "" });
  const charset = /charset=["']?([\w-]+)/i;
  const named = charset.exec(type) ?? (isHtml ? charset.exec(start) : null);
  const source = decoder(named?.[1] ?? "utf-8").decode(bytes);
  const { title, text } = isHtml ? pageArticle(source, url.href) : { title: "", text: source };
  return text.trim() === "" ? err({ code: "no-text" }) : ok({ url: url.href, title, text, isCut });
}

function decoder(label: string) {
  try {
    return new TextDecoder(label);
  } catch {
    return new TextDecoder();
  }
}
