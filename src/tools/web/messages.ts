import type { WebFailure } from "./web.ts";

/** Why a page was not read, for the model, and what to do. */
export function webFailureMessage(
  url: string,
  failure: WebFailure,
): readonly [message: string, recovery: string | null] {
  switch (failure.code) {
    case "not-a-web-address":
      return [`${JSON.stringify(url)} is no http or https address.`, "Give a whole address."];
    case "private-address":
      return [
        `${url} leads to this machine or into a private network, which is not read.`,
        "The user can name the host in graft.web.privateHosts.",
      ];
    case "redirected":
      return [
        `${url} redirects to ${failure.to}, which is another server and was not read.`,
        "Fetch that address if it is what you want: the user is asked about its host.",
      ];
    case "too-many-redirects":
      return [`${url} redirects without end.`, null];
    case "other-address":
      return [
        `The connection to ${url} did not go to the address that was checked, as through a proxy.`,
        null,
      ];
    case "no-text":
      return [`${url} has no text; scripts may fill the page.`, null];
    case "timed-out":
      return [`${url} did not answer in time.`, null];
    case "status":
      return [`${url} answered with status ${failure.status}.`, null];
    case "not-text":
      return [`${url} is no text (${failure.type || "unknown type"}).`, null];
    case "unreachable":
      return [`${url} cannot be reached (${failure.detail}).`, null];
  }
}
