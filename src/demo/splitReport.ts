const HEAD =
  /^(?:File '.+' has been updated\.|Nothing was changed in '|There was a problem applying the changes\.|Edit mode for '.+' is still on\.|Your answer was cut off )/;
const BODY =
  /^(?:[-•] |\d+ code block\(s\) were ignored|All code blocks in a session|The user changed the proposal|`.+` is (?:no address|not the plain block)|A change is a fenced code block|Write (?:that block again|the whole file as one)|Go on with what is)/;

/** The paragraphs at a message's beginning that report on edits, and what the user says behind them: a stopped turn's report stands before the next request. */
export function splitReport(text: string): { readonly report: string; readonly rest: string } {
  const paragraphs = text.split(/\n{2,}/);
  let count = 0;
  while (count < paragraphs.length && (HEAD.test(paragraphs[count] ?? "") || (count > 0 && BODY.test(paragraphs[count] ?? "")))) count++;
  return { report: paragraphs.slice(0, count).join("\n\n"), rest: paragraphs.slice(count).join("\n\n").trim() };
}
