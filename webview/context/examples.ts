/**
 * Requests that an empty chat offers. Not translated, because the demo script understands only
 * English.
 */
export const EXAMPLES: readonly string[] = [
  "Add a doc comment to each exported function",
  "Explain the outline of this file",
];

/** The draft once an example was chosen: in place of another one, else below what the user wrote. */
export function draftWithExample(draft: string, example: string): string {
  const written = draft.trim();
  return written === "" || EXAMPLES.includes(written) ? example : `${written}\n\n${example}`;
}
