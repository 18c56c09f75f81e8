import DOMPurify from "dompurify";
import { Parser, Renderer, type Token, type Tokens } from "marked";
import { h } from "./dom.ts";
import { linkTarget } from "./linkTarget.ts";

/** Renders Markdown tokens to sanitised nodes: HTML in the answer is shown as text, pictures as links, and nothing is loaded. */
export function renderMarkdown(tokens: readonly Token[]): DocumentFragment {
  const html = new Parser({ renderer: new ChatRenderer() }).parse([...tokens]);
  const fragment = DOMPurify.sanitize(html, {
    RETURN_DOM_FRAGMENT: true,
    ALLOWED_TAGS: tags,
    ALLOWED_ATTR: attributes,
    ALLOW_DATA_ATTR: false,
  });
  for (const anchor of fragment.querySelectorAll("a")) replaceAnchor(anchor);
  for (const table of fragment.querySelectorAll("table")) wrapTable(table);
  return fragment;
}

const tags =
  "p h1 h2 h3 h4 h5 h6 ul ol li blockquote pre code em strong del a br hr table thead tbody tr th td kbd sub sup input span".split(" ");
const attributes = ["href", "title", "start", "align", "class"];

/** The few HTML tags that models use in prose and that carry no attributes. */
const harmlessTag = /^<\/?(br|kbd|sub|sup)\s*\/?>$/i;

class ChatRenderer extends Renderer {
  override html({ text }: Tokens.HTML | Tokens.Tag): string {
    return harmlessTag.test(text.trim()) ? text : escapeHtml(text);
  }

  override image({ href, text }: Tokens.Image): string {
    return `<a href="${escapeHtml(href)}">${escapeHtml(text === "" ? href : text)}</a>`;
  }

  override listitem(item: Tokens.ListItem): string {
    const html = super.listitem(item);
    return item.task ? html.replace("<li>", '<li class="task">') : html;
  }

  override checkbox({ checked }: Tokens.Checkbox): string {
    return checked ? "☑ " : "☐ ";
  }
}

function escapeHtml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}

/** The editor follows every `href` by itself, so links carry their target elsewhere and are followed by a message to the host. */
function replaceAnchor(anchor: HTMLAnchorElement): void {
  const target = linkTarget(anchor.getAttribute("href") ?? "");
  const children = [...anchor.childNodes];
  if (!target) {
    anchor.replaceWith(...children);
    return;
  }
  const link = h("a", { class: "link", attributes: { role: "link", tabindex: "0" } }, ...children);
  if (target.type === "web") {
    link.dataset.url = target.url;
    link.title = target.url;
  } else {
    link.dataset.path = target.path;
    if (target.line !== null) link.dataset.line = String(target.line);
    link.title = target.line === null ? target.path : `${target.path}, line ${target.line}`;
  }
  anchor.replaceWith(link);
}

function wrapTable(table: HTMLTableElement): void {
  const box = h("div", { class: "table-box", attributes: { tabindex: "0", role: "group", "aria-label": "Table" } });
  table.replaceWith(box);
  box.append(table);
}
