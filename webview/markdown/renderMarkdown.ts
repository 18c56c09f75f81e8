import DOMPurify from "dompurify";
import { Parser, Renderer, type Token, type Tokens } from "marked";
import { h } from "../dom.ts";
import { t } from "../l10n.ts";
import type { PanelContext } from "../panelContext.ts";
import { codeTarget, linkTarget } from "./linkTarget.ts";

/**
 * Renders Markdown tokens to sanitized nodes. Shows HTML as text and images as links, and loads
 * nothing.
 */
export function renderMarkdown(tokens: readonly Token[]): DocumentFragment {
  const [only] = tokens;
  if (only?.type === "plain") {
    const plain = document.createDocumentFragment();
    plain.append(h("p", { class: "plain" }, only.raw));
    return plain;
  }
  const extensions = { renderers: { math }, childTokens: {} };
  const html = new Parser({ renderer: new ChatRenderer(), extensions }).parse([...tokens]);
  const fragment = DOMPurify.sanitize(html, {
    RETURN_DOM_FRAGMENT: true,
    ALLOWED_TAGS: tags,
    ALLOWED_ATTR: attributes,
    ALLOW_DATA_ATTR: false,
  });
  for (const anchor of fragment.querySelectorAll("a")) replaceAnchor(anchor);
  for (const code of fragment.querySelectorAll<HTMLElement>("code")) linkCode(code);
  for (const table of fragment.querySelectorAll("table")) wrapTable(table);
  return fragment;
}

/** Forwards clicks and Enter on links in answers to the host. */
export function followLinks(root: HTMLElement, context: PanelContext): void {
  const follow = (event: Event): void => {
    const link =
      event.target instanceof Element ? event.target.closest<HTMLElement>("a.link") : null;
    if (!link) return;
    event.preventDefault();
    const { url, path, line, symbol } = link.dataset;
    if (symbol !== undefined) context.post({ type: "open-symbol", name: symbol });
    else if (url !== undefined) context.post({ type: "open-link", url });
    else if (path !== undefined)
      context.post({ type: "open-file", path, line: line === undefined ? null : Number(line) });
  };
  root.addEventListener("click", follow);
  root.addEventListener("keydown", (event) => {
    if (event.key === "Enter") follow(event);
  });
}

const tags =
  "p h1 h2 h3 h4 h5 h6 ul ol li blockquote pre code em strong del a br hr table thead tbody tr th td kbd sub sup input span b i".split(
    " ",
  );
const attributes = ["href", "title", "start", "align", "class"];

/** HTML tags without attributes that models use in prose. */
const harmlessTag = /^<\/?(br|kbd|sub|sup|b|i|strong|em)\s*\/?>$/i;

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

/** A formula as its source, which `typeset` replaces. */
function math({ raw, display }: Tokens.Generic): string {
  const kind = display === true ? "math display" : "math";
  return `<span class="${kind}">${escapeHtml(raw.trim())}</span>`;
}

function escapeHtml(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}

/**
 * VS Code follows every `href`, so links keep their target in data attributes and `followLinks`
 * asks the host.
 */
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
    link.title =
      target.line === null
        ? target.path
        : t("{path}, line {line}", { path: target.path, line: target.line });
  }
  anchor.replaceWith(link);
}

/** Turns inline code into a link if it names a file or may be a symbol. */
function linkCode(code: HTMLElement): void {
  const target = code.closest("pre, a") ? null : codeTarget(code.textContent ?? "");
  if (!target) return;
  const link = h("a", {
    class: "link",
    attributes: { role: "link", tabindex: target.type === "file" ? "0" : "-1" },
  });
  if (target.type === "file") {
    link.dataset.path = target.path;
    if (target.line !== null) link.dataset.line = String(target.line);
    link.title = t("Open {path}", { path: target.path });
  } else {
    link.dataset.symbol = target.name;
    link.classList.add("symbol");
    link.title = t("Go to {symbol}", { symbol: target.name });
  }
  code.replaceWith(link);
  link.append(code);
}

function wrapTable(table: HTMLTableElement): void {
  const box = h("div", {
    class: "table-box",
    attributes: { tabindex: "0", role: "group", "aria-label": t("Table") },
  });
  table.replaceWith(box);
  box.append(table);
}
