/** Opens the first answer of a conversation. */
export const INTRODUCTION =
  "> **This is Graft's built-in demonstration: a script, no AI.** It edits by real syntax work and knows a few requests. To talk to a model, set `graft.baseUrl` and `graft.model` in the settings and run the command **Graft: Set API Key**.";

/** What the demonstration can do, for requests it does not understand. */
export const ABILITIES = `I am a script and understand only a few requests, on any TypeScript, JavaScript or Python file:

- **Add a doc comment** to each exported function (or to one that you name)
- **Rename** a function, class or method, with its uses: *rename \`total\` to \`sum\`*
- **Extract a constant** from a literal: *extract 0.19 to \`TAX_RATE\`*
- **Add a guard** to a function: *add a guard to \`polygonArea\`*
- **Explain the outline** of a file

Name the file, or open it in the editor first.`;
