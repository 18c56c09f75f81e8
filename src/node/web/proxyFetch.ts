import { isLoopback } from "../../model/endpoint.ts";

/** Variables of a process, such as `HTTPS_PROXY`. */
export type ProxyVariables = Readonly<Record<string, string | undefined>>;

/**
 * `direct`, but through the proxy that the environment names, which Node.js below 24 does not do.
 * This machine is always asked directly.
 */
export function proxyFetch(direct: typeof fetch, variables: ProxyVariables): typeof fetch {
  return async (input, init) => {
    const request = new Request(input, init);
    const proxy = proxyFor(new URL(request.url), variables);
    return proxy === null ? direct(input, init) : fetchThrough(proxy, request);
  };
}

async function fetchThrough(proxy: URL, request: Request): Promise<Response> {
  const { url, method, headers, signal } = request;
  const body = request.body === null ? null : await request.arrayBuffer();
  const undici = await import("undici");
  // Only what is encrypted needs a tunnel; not every proxy has one for the rest.
  const dispatcher = new undici.ProxyAgent({ uri: proxy.href, proxyTunnel: false });
  const sent = { method, headers: [...headers], body, signal, dispatcher };
  const answer = await undici.fetch(url, { ...sent, redirect: "manual" });
  return new Response(answer.body, {
    ...{ status: answer.status, statusText: answer.statusText },
    headers: [...answer.headers],
  });
}

/** The proxy for an address; null where it is asked directly. */
export function proxyFor({ protocol, hostname, port }: URL, variables: ProxyVariables): URL | null {
  const named = (name: string) => variables[name.toLowerCase()] || variables[name] || "";
  if (!/^https?:$/.test(protocol) || isLoopback(hostname)) return null;
  const isSecure = protocol === "https:";
  const proxy = named(isSecure ? "HTTPS_PROXY" : "HTTP_PROXY");
  const address = /^\w+:\/\//.test(proxy) ? proxy : `http://${proxy}`;
  if (proxy === "" || !URL.canParse(address)) return null;
  const target = { hostname, port: port || (isSecure ? "443" : "80") };
  const isExempt = named("NO_PROXY")
    .split(/[\s,]+/)
    .some((entry) => isNamed(entry.toLowerCase(), target));
  return isExempt ? null : new URL(address);
}

/** Whether an entry of `NO_PROXY` names a server: `*`, a host with those below it, or with a port. */
function isNamed(entry: string, target: { hostname: string; port: string }): boolean {
  const [, name = "", port = target.port] = /^\*?\.?(.*?)(?::(\d+))?$/.exec(entry) ?? [];
  if (entry === "*") return true;
  const { hostname } = target;
  return (
    name !== "" && port === target.port && (hostname === name || hostname.endsWith(`.${name}`))
  );
}
