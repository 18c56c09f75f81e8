import * as vscode from "vscode";
import * as z from "zod/mini";

const providersSchema = z.object({
  contributes: z.object({
    languageModelChatProviders: z.array(z.object({ vendor: z.string(), displayName: z.string() })),
  }),
});

/** What the vendor of a VS Code model is called, by the extension that brings it; else its id. */
export function vendorName(vendor: string): string {
  for (const { packageJSON } of vscode.extensions.all) {
    const { data } = providersSchema.safeParse(packageJSON);
    const provider = data?.contributes.languageModelChatProviders.find(
      (each) => each.vendor === vendor,
    );
    if (provider) return provider.displayName;
  }
  return vendor === "copilot" ? "Copilot" : vendor;
}
