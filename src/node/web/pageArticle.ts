import TurndownService from "turndown";

/** A page with more elements, or deeper ones, is read as plain text. */
const MOST_ELEMENTS = 20_000;
const DEEPEST = 200;
/** What is around an article, or no text. */
const LEFT_OUT =
  "script style noscript template nav aside footer form button select svg math iframe object canvas video audio".split(
    " ",
  );

/** The main part of a page as Markdown, with its title. */
export function pageArticle(html: string, url: string): { title: string; text: string } {
  const title = withoutTags(/<title\b[^>]{0,500}>([^<]{0,500})/i.exec(html)?.[1] ?? "");
  const main = mainPart(html);
  if (!isReadQuickly(main)) return { title, text: withoutTags(main) };
  const service = new TurndownService({ headingStyle: "atx", codeBlockStyle: "fenced" });
  service.remove(LEFT_OUT);
  service.addRule("link", {
    filter: "a",
    replacement: (content, node) => linked(content, node.getAttribute("href"), url),
  });
  service.addRule("image", {
    filter: "img",
    replacement: (_, node) => node.getAttribute("alt")?.trim() ?? "",
  });
  const text = service.turndown(main).trim();
  return { title, text: text === "" ? withoutTags(main) : text };
}

/** From the first `<main>` or `<article>` to the last one's end; the body where there is none. */
function mainPart(html: string): string {
  for (const name of ["main", "article", "body"]) {
    const start = html.search(new RegExp(`<${name}[\\s>]`, "i"));
    const end = html.toLowerCase().lastIndexOf(`</${name}>`);
    if (start >= 0) return html.slice(start, end > start ? end : html.length);
  }
  return html;
}

/** A link with its whole address. One within the page, or without words, is no link. */
function linked(content: string, href: string | null, url: string): string {
  const target = href !== null && URL.canParse(href, url) ? new URL(href, url) : null;
  const isLink = /^https?:$/.test(target?.protocol ?? "") && !href?.startsWith("#");
  return isLink && content.trim() !== "" ? `[${content.trim()}](${target?.href})` : content;
}

/** False for what would take long to read. */
function isReadQuickly(html: string): boolean {
  let [count, depth] = [0, 0];
  if (html.split("<").length > 4 * MOST_ELEMENTS) return false;
  for (const { 1: end, 2: name = "" } of html.matchAll(/<(\/?)([a-z][a-z\d]{0,20})/gi)) {
    if (end === "") count += 1;
    if (!UNNESTED.has(name.toLowerCase())) depth += end === "" ? 1 : -1;
    if (count > MOST_ELEMENTS || depth > DEEPEST) return false;
  }
  return true;
}

/** Elements whose end is missing, or may be. */
const UNNESTED = new Set(
  "area base br col embed hr img input link meta source track wbr p li dt dd option tr td th thead tbody tfoot colgroup path rect circle".split(
    " ",
  ),
);

const ENTITIES: Readonly<Record<string, string>> = {
  ...{ amp: "&", lt: "<", gt: ">", quot: '"', nbsp: " ", "#39": "'" },
};

/** The words of a page, in one pass. */
function withoutTags(html: string): string {
  const words: string[] = [];
  let at = 0;
  while (at < html.length) {
    const tag = html.indexOf("<", at);
    words.push(html.slice(at, tag < 0 ? html.length : tag));
    if (tag < 0) break;
    const name = /^<(script|style|!--)/i.exec(html.slice(tag, tag + 8))?.[1]?.toLowerCase();
    const closer = name === undefined ? ">" : name === "!--" ? "-->" : `</${name}`;
    const end = html.indexOf(closer, tag + 1);
    if (end < 0) break;
    at = closer.startsWith("</") ? end + 1 : end + closer.length;
    if (closer.startsWith("</")) at = Math.max(at, html.indexOf(">", end) + 1);
  }
  return words
    .join(" ")
    .replace(/&(amp|lt|gt|quot|nbsp|#39);/g, (_, name: string) => ENTITIES[name] ?? "")
    .replace(/[ \t]+/g, " ")
    .replace(/ ?\n[ \n\r]*/g, "\n")
    .trim();
}
