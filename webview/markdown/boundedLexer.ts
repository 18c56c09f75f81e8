import { Lexer, type Token, Tokenizer, type Tokens, type TokensList } from "marked";
import { blockMath, inlineMath, nextBlockMath } from "./mathTokens.ts";

/** Maximum nesting of quotes, lists and emphasis. */
const MAX_DEPTH = 40;
/** Work limit in scanned characters: a fixed amount, plus an amount per character of the text. */
const FREE_WORK = 1_500_000;
const WORK_EACH = 100;
/** So many characters cost as much as one where only a blank line or a dollar is looked for. */
const QUICK = 4;

/** Thrown if a text exceeds its work limit or nests too deep. */
class OverrunError extends Error {}

/** Syntax for which marked scans the rest of the text, possibly at every character. */
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
  private hasMath = false;
  private hasDollar = false;

  /** Resets the work limit for a text. */
  begin(src: string): void {
    this.left = FREE_WORK + WORK_EACH * src.length;
    this.hasDollar = src.includes("$");
    this.hasMath = /^ *(?:\$\$|\\\[)/m.test(src);
  }

  /** Where a block of math ends the paragraph before it; -1 for nowhere. */
  nextMath(src: string): number {
    if (!this.hasMath) return -1;
    this.charge(Math.min(src.length, 4_000));
    return nextBlockMath(src);
  }

  /** The formula that begins `src`. To find its end, or a heading's, the paragraph is scanned. */
  math(src: string): Token | undefined {
    if (this.hasMath && /^ {0,3}(?:\$\$|\\\[)/.test(src))
      this.charge(firstBlock(src).length / QUICK);
    return blockMath(src);
  }

  /** Throws once the work limit is exceeded. */
  charge(work: number): void {
    this.left -= work;
    if (this.left < 0) throw new OverrunError();
  }

  override emStrong(
    src: string,
    masked: string,
    previous?: string,
  ): Tokens.Em | Tokens.Strong | undefined {
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

  /** Ends at a dollar that may begin a formula. */
  override inlineText(src: string): Tokens.Text | undefined {
    if (!this.hasDollar) return super.inlineText(src);
    const dollar = src.slice(1).search(/(?<![\p{L}\p{N}$\\])\$/u) + 1;
    this.charge((dollar || src.length) / QUICK);
    return super.inlineText(dollar === 0 ? src : src.slice(0, dollar));
  }

  /** The quote is parsed again after each lazy continuation line. */
  override blockquote(src: string): Tokens.Blockquote | undefined {
    if (!/^ {0,3}>/.test(src)) return undefined;
    const lines = firstBlock(src).split("\n");
    const isMarked = (line = "") => /^ {0,3}>/.test(line);
    const lazy = lines.filter(
      (line, at) => at > 0 && !isMarked(line) && isMarked(lines[at - 1]),
    ).length;
    this.charge(lazy * lines.length);
    return super.blockquote(src);
  }

  /** Every row gets as many cells as the header. */
  override table(src: string): Tokens.Table | undefined {
    if (!/^[^\n]*\n[ |:-]+(?:\n|$)/.test(src)) return undefined;
    const rows = firstBlock(src).split("\n");
    this.charge((rows[0] ?? "").split("|").length * rows.length);
    return super.table(src);
  }

  private scan(what: string, src: string): void {
    if (SCANS[what]?.test(src)) this.charge(src.length);
  }
}

/** The text up to its first blank line. */
function firstBlock(src: string): string {
  const end = src.search(/\n[ \t]*(?:\n|$)/);
  return end < 0 ? src : src.slice(0, end);
}

/**
 * A Markdown lexer whose work is limited in proportion to the text's length, whatever it contains.
 */
class BoundedLexer extends Lexer {
  private readonly bounded: BoundedTokenizer;
  private depth = 0;

  constructor() {
    const bounded = new BoundedTokenizer();
    super({
      gfm: true,
      tokenizer: bounded,
      extensions: {
        renderers: {},
        childTokens: {},
        inline: [inlineMath],
        block: [(src) => bounded.math(src)],
        startBlock: [(src) => bounded.nextMath(src)],
      },
    });
    this.bounded = bounded;
  }

  override lex(src: string): TokensList {
    this.bounded.begin(src);
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

/** A token for text shown verbatim, because parsing it as Markdown would take too long. */
export function plainToken(text: string): Token {
  return { type: "plain", raw: text, text };
}

/** Link reference definitions by name. */
export type Links = Record<string, { href: string; title: string | undefined }>;

/** Lexes Markdown. Each token is as long as its source. Null if this would take too long. */
export function boundedTokens(source: string, links: Links): Token[] | null {
  const lexer = new BoundedLexer();
  Object.assign(lexer.tokens.links, links);
  try {
    // Replace carriage returns with spaces, so that every token stays as long as its source.
    return lexer.lex(source.replaceAll("\r", " "));
  } catch (error) {
    if (error instanceof OverrunError) return null;
    throw error;
  }
}
