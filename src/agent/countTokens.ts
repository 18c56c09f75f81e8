/** How many tokens a text is for a model, about. */
export type CountTokens = (text: string) => number;

/** Characters of a token in source code and English, on the low side, so that the count is rather too high. */
const CHARS_PER_TOKEN = 3.5;

/** An estimate by the length alone, for where no tokenizer is at hand. */
export const estimateTokens: CountTokens = (text) => Math.ceil(text.length / CHARS_PER_TOKEN);
