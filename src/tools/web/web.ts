import type { Result } from "../../base/result.ts";

/** A page as text. */
export interface WebPage {
  /** Where it was found, after redirects on its host. */
  readonly url: string;
  /** "" where it has none. */
  readonly title: string;
  /** Markdown of a page's article; any other text as it is. */
  readonly text: string;
  /** True where the limit of a page's size cut it. */
  readonly isCut: boolean;
}

/** Why there is no text. */
export type WebFailure =
  | {
      readonly code:
        | "not-a-web-address"
        /** Its name leads to this machine or into a private network. */
        | "private-address"
        | "too-many-redirects"
        /** The connection did not go to the address that was checked. */
        | "other-address"
        /** It has no text, such as a page that only a script fills. */
        | "no-text"
        | "timed-out";
    }
  /** `to` is another host, or an unencrypted address. */
  | { readonly code: "redirected"; readonly to: string }
  | { readonly code: "status"; readonly status: number }
  | { readonly code: "not-text"; readonly type: string }
  /** `detail` is what the system said. */
  | { readonly code: "unreachable"; readonly detail: string };

/** Reads pages of the web. */
export interface Web {
  /** Reads one page. Redirects to another host are not followed. */
  read(url: URL, signal: AbortSignal): Promise<Result<WebPage, WebFailure>>;
}

/** An address of a page; null for anything but http and https, and where it has a user's name. */
export function webAddress(text: string): URL | null {
  const url = URL.canParse(text.trim()) ? new URL(text.trim()) : null;
  const isPlain = url !== null && url.username === "" && url.password === "";
  return isPlain && /^https?:$/.test(url.protocol) && url.hostname !== "" ? url : null;
}
