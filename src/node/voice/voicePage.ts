import type { IncomingHttpHeaders } from "node:http";
import type { VoicePage } from "../../protocol/voicePage.ts";

/** The files that the page loads, with their MIME types. */
const FILES: ReadonlyMap<string, string> = new Map([
  ["voicePage.js", "text/javascript; charset=utf-8"],
  ["voiceWorklet.js", "text/javascript; charset=utf-8"],
  ["voicePage.css", "text/css; charset=utf-8"],
  ["voiceModel.bin", "application/octet-stream"],
]);

/** An HTTP response. */
export interface VoicePageAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | string;
}

const NOTHING: VoicePageAnswer = { status: 404, headers: {}, body: "" };

/** Serves the page and its files. Rejects other paths and cross-site requests. */
export async function answerVoicePage(
  path: string,
  headers: IncomingHttpHeaders,
  options: VoicePage,
): Promise<VoicePageAnswer> {
  const opened =
    headers["sec-fetch-mode"] === "navigate" && headers["sec-fetch-dest"] === "document";
  if (!isOwnOrigin(headers) || (headers["sec-fetch-site"] === "cross-site" && !opened))
    return { ...NOTHING, status: 403 };
  if (path === "/")
    return pageAnswer("text/html; charset=utf-8", html(options), headers.host ?? "");
  const type = FILES.get(path.slice(1));
  return type === undefined
    ? NOTHING
    : pageAnswer(type, await options.readFile(path.slice(1)), headers.host ?? "");
}

/**
 * Whether the request has no origin, or the same one as its target. A proxy may change `Host` and
 * pass on the original host in `X-Forwarded-Host`.
 */
export function isOwnOrigin({
  origin,
  host,
  "x-forwarded-host": forwarded,
}: IncomingHttpHeaders): boolean {
  if (origin === undefined) return true;
  const from = URL.canParse(origin) ? new URL(origin).host : null;
  return from !== null && from !== "" && (from === host || from === forwarded);
}

function pageAnswer(type: string, body: Uint8Array | string, host: string): VoicePageAnswer {
  // Some browsers do not apply 'self' to WebSockets.
  const sockets = /^[\w.:[\]-]+$/.test(host) ? ` ws://${host} wss://${host}` : "";
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src data:",
    `connect-src 'self'${sockets}`,
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
  return {
    status: 200,
    headers: {
      "content-type": type,
      "content-security-policy": policy,
      "cross-origin-resource-policy": "same-origin",
      "cross-origin-opener-policy": "same-origin",
      "permissions-policy": "microphone=(self)",
      "referrer-policy": "no-referrer",
      "x-content-type-options": "nosniff",
      "cache-control": "no-store",
    },
    body,
  };
}

function html({ language, translations, theme, handsFree }: VoicePage): string {
  // In a script element, only "<" could end it.
  const table = JSON.stringify(translations).replaceAll("<", "\\u003c");
  return `<!DOCTYPE html>
<html lang="${/^[\w-]+$/.test(language) ? language : "en"}" data-theme="${theme}">
<head>
  <meta charset="UTF-8">
  <meta name="viewport" content="width=device-width, initial-scale=1.0">
  <link rel="stylesheet" href="voicePage.css">
  <link rel="icon" href="data:,">
  <title>Graft</title>
</head>
<body data-worklet="voiceWorklet.js" data-model="voiceModel.bin" data-mode="${handsFree ? "handsFree" : "pushToTalk"}">
  <main id="root"></main>
  <script type="application/json" id="l10n">${table}</script>
  <script src="voicePage.js"></script>
</body>
</html>`;
}
