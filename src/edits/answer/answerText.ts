import { escaped } from "../text/whitespace.ts";

/** What a model wrote, by the message: blocks and all else. */
export class AnswerText {
  /** The pieces of each message, joined once they are read. */
  private readonly messages = new Map<number, string[]>();

  /** Takes a piece of the message of a step. */
  add(step: number, piece: string): void {
    const pieces = this.messages.get(step);
    if (pieces) pieces.push(piece);
    else this.messages.set(step, [piece]);
  }

  /** All of the message of a step so far. */
  message(step: number): string {
    const pieces = this.messages.get(step) ?? [];
    if (pieces.length > 1) pieces.splice(0, pieces.length, pieces.join(""));
    return pieces[0] ?? "";
  }

  /** True where a word stands in code marks, in quotes or after an `@`. */
  hasCode(word: string): boolean {
    const code = new RegExp(
      `\`[^\`\\n]*(?<!\\w)${escaped(word)}(?!\\w)[^\`\\n]*\`|"${escaped(word)}"|@${escaped(word)}\\b`,
    );
    return [...this.messages.keys()].some((step) =>
      code.test(this.message(step).replace(BLOCKS, "")),
    );
  }

  /** True where a word stands elsewhere than from `start` to `end` of a step's message. */
  hasWord(
    word: string,
    { step, start, end }: { readonly step: number; readonly start: number; readonly end: number },
  ): boolean {
    const named = new RegExp(`(?<![\\p{L}\\p{N}_$])${escaped(word)}(?![\\p{L}\\p{N}_$])`, "u");
    return [...this.messages.keys()].some((each) => {
      const text = this.message(each);
      return named.test(each === step ? `${text.slice(0, start)}\n${text.slice(end)}` : text);
    });
  }
}

const BLOCKS = /^ {0,3}(```+|~~~+)[^\n]*\n[\s\S]*?(?:^ {0,3}\1[`~]*[ \t]*$|$(?![\s\S]))/gm;
