// What is used of a library whose own types need a browser's.
declare module "turndown" {
  interface HtmlNode {
    getAttribute(name: string): string | null;
  }
  class TurndownService {
    constructor(options: {
      readonly headingStyle: "setext" | "atx";
      readonly codeBlockStyle: "indented" | "fenced";
    });
    remove(tags: readonly string[]): this;
    addRule(
      name: string,
      rule: {
        readonly filter: string;
        readonly replacement: (content: string, node: HtmlNode) => string;
      },
    ): this;
    turndown(html: string): string;
  }

  export { TurndownService as default };
}
