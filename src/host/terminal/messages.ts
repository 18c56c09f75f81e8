import type { Localize } from "../../base/localize.ts";
import { visibleText } from "../../base/text/visibleText.ts";
import type { KeptDifference } from "../../ports/commands/shadow.ts";

/** Tells which ignored folders a command made or changed on the proposals. */
export function madeMessage(
  t: Localize,
  folders: readonly { readonly name: string; readonly isNew: boolean }[],
): string {
  const [first, ...others] = folders;
  const name = visibleText(first?.name ?? "");
  if (others.length > 0) {
    const names = folders.map((folder) => visibleText(folder.name)).join(", ");
    return t("A command that ran on the proposals made or changed ignored folders: {names}.", {
      names,
    });
  }
  return first?.isNew
    ? t("A command that ran on the proposals created {name}. Your workspace does not have it.", {
        name,
      })
    : t(
        "A command that ran on the proposals changed {name}. Your workspace still has the old version.",
        {
          name,
        },
      );
}

/** What keeping a folder does to the user's own files: which are added, changed and removed. */
export function keepDetail(t: Localize, difference: KeptDifference): string {
  const { added, changed, removed, first } = difference;
  const named = (names: readonly string[], count: number) =>
    names.map(visibleText).join(", ") + (count > names.length ? ", …" : "");
  const facts = (count: number, names: readonly string[]) => ({
    count,
    names: named(names, count),
  });
  return [
    ...(added > 0 ? [t("To add ({count}): {names}", facts(added, first.added))] : []),
    ...(changed > 0 ? [t("To overwrite ({count}): {names}", facts(changed, first.changed))] : []),
    ...(removed > 0
      ? [t("Not left there by the command ({count}): {names}", facts(removed, first.removed))]
      : []),
  ].join("\n");
}

/** What became of a folder; `left` files changed meanwhile. */
export function keptMessage(t: Localize, name: string, left: number): string {
  const facts = { name: visibleText(name), left };
  return left > 0
    ? t(
        "{name} is in your workspace. Left as they are, since something else is there: {left} files.",
        facts,
      )
    : t("{name} is in your workspace.", facts);
}
