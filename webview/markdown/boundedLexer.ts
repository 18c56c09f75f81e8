import { Lexer, type Token, Tokenizer, type Tokens, type TokensList } from "marked";

/** How deep quotes, lists and emphasis nest. */
const MAX_DEPTH = 40;
/** Characters that may be looked at: some in any case, and some for each character of the text. */
const FREE_WORK = 1_500_000;
const WORK_EACH = 100;

/** A text that costs more than a share of its length, or nests too deep. */
class OverrunError extends Error {}

/** Where a text may begin that marked reads to its end for each of its characters. */
const SCANS: Readonly<Record<string, RegExp>> = {
  emStrong: /^[*_]/,
  del: /^~/,
  codespan: /^`/,
  link: /^!?\[/,
  reflink: /^!?\[/,
  tag: /^</,
  autolink: /^</,
  url: /^(?:https?|ftp|www)/i,
};

class BoundedTokenizer extends Tokenizer {
  private left = 0;

  /** Allows a text of this length its share. */
  begin(length: number): void {
    this.left = FREE_WORK + WORK_EACH * length;
  }

  /** Throws once more was looked at than the text is allowed. */
  charge(work: number): void {
    this.left -= work;
    if (this.left < 0) throw new OverrunError();
  }

  override emStrong(src: string, masked: string, previous?: string): Tokens.Em | Tokens.Strong | undefined {
    this.scan("emStrong", src);
    return super.emStrong(src, masked, previous);
  }

  override del(src: string, masked: string, previous?: string): Tokens.Del | undefined {
    this.scan("del", src);
    return super.del(src, masked, previous);
  }

  override codespan(src: string): Tokens.Codespan | undefined {
    this.scan("codespan", src);
    return super.codespan(src);
  }

  override link(src: string): Tokens.Link | Tokens.Image | undefined {
    this.scan("link", src);
    return super.link(src);
  }

  override reflink(...args: Parameters<Tokenizer["reflink"]>): ReturnType<Tokenizer["reflink"]> {
    this.scan("reflink", args[0]);
    return super.reflink(...args);
  }

  override tag(src: string): Tokens.Tag | undefined {
    this.scan("tag", src);
    return super.tag(src);
  }

  override autolink(src: string): Tokens.Link | undefined {
    this.scan("autolink", src);
    return super.autolink(src);
  }

  override url(src: string): Tokens.Link | undefined {
    this.scan("url", src);
    return super.url(src);
  }

  /** The quote is read again after each line that goes on without a mark. */
  override blockquote(src: string): Tokens.Blockquote | undefined {
    if (!/^ {0,3}>/.test(src)) return undefined;
    const lines = blockOf(src).split("\n");
    const isMarked = (line = "") => /^ {0,3}>/.test(line);
    const lazy = lines.filter((line, at) => at > 0 && !isMarked(line) && isMarked(lines[at - 1])).length;
    this.charge(lazy * lines.length);
    return super.blockquote(src);
  }

  /** Every row gets as many cells as the head. */
  override table(src: string): Tokens.Table | undefined {
    if (!/^[^\n]*\n[ |:-]+(?:\n|$)/.test(src)) return undefined;
    const rows = blockOf(src).split("\n");
    this.charge((rows[0] ?? "").split("|").length * rows.length);
    return super.table(src);
  }

  private scan(what: string, src: string): void {
    if (SCANS[what]?.test(src)) this.charge(src.length);
  }
}

/** A text up to its first blank line. */
function blockOf(src: string): string {
  const end = src.search(/\n[ \t]*(?:\n|$)/);
  return end < 0 ? src : src.slice(0, end);
}

/** Reads Markdown with at most so much work as its length allows, whatever it holds. */
class BoundedLexer extends Lexer {
  private readonly bounded: BoundedTokenizer;
  private depth = 0;

  constructor() {
    const bounded = new BoundedTokenizer();
    super({ gfm: true, tokenizer: bounded });
    this.bounded = bounded;
  }

  override lex(src: string): TokensList {
    this.bounded.begin(src.length);
    return super.lex(src);
  }

  override blockTokens(src: string, tokens?: Token[], clipped?: boolean): TokensList;
  override blockTokens(src: string, tokens?: Token[], clipped?: boolean): Token[] {
    return this.nested(src, () => super.blockTokens(src, tokens, clipped));
  }

  override inlineTokens(src: string, tokens?: Token[]): Token[] {
    return this.nested(src, () => super.inlineTokens(src, tokens));
  }

  private nested<T>(src: string, read: () => T): T {
    if (this.depth === MAX_DEPTH) throw new OverrunError();
    this.bounded.charge(src.length);
    this.depth += 1;
    try {
      return read();
    } finally {
      this.depth -= 1;
    }
  }
}

/** A text that is shown as it is, since reading it as Markdown would take too long. */
export function plainToken(text: string): Token {
  return { type: "plain", raw: text, text };
}

/** The addresses of a text's link references, by their names. */
export type Links = Record<string, { href: string; title: string | undefined }>;

/** The tokens of a Markdown text, each as long as its source; null where reading it would take too long. */
export function boundedTokens(source: string, links: Links): Token[] | null {
  const lexer = new BoundedLexer();
  Object.assign(lexer.tokens.links, links);
  try {
    // A carriage return becomes a space, so that every token stays as long as its source.
    return lexer.lex(source.replaceAll("\r", " "));
  } catch (error) {
    if (error instanceof OverrunError) return null;
    throw error;
  }
}
