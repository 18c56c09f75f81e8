const MAX_REDIRECTS = 3;

/** Sends a request. Follows redirects on the same server only, so the request and its key reach no other. */
export async function guardedFetch(send: typeof fetch, url: string, init: RequestInit): Promise<Response> {
  let current = new URL(url);
  for (let redirects = 0; ; redirects++) {
    const response = await send(current.href, { ...init, redirect: "manual" });
    const location = response.headers.get("location");
    if ((response.status !== 307 && response.status !== 308) || location === null || redirects === MAX_REDIRECTS) return response;
    const next = URL.canParse(location, current.href) ? new URL(location, current.href) : null;
    if (next?.origin !== current.origin) return response;
    await response.body?.cancel();
    current = next;
  }
}
