/** What is known of a model; null where nobody said. */
export interface ModelInfo {
  /** Its name at the endpoint. */
  readonly id: string;
  /** As people read it. */
  readonly label: string;
  /** Tokens for request and answer together. */
  readonly contextWindow: number | null;
  readonly tools: boolean | null;
  readonly images: boolean | null;
  readonly reasoning: boolean | null;
  readonly price: ModelPrice | null;
}

/** In US dollars per million tokens. */
export interface ModelPrice {
  readonly input: number;
  readonly output: number;
  readonly cachedInput: number | null;
}
