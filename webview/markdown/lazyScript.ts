/** Loads a script of the panel on first use. */
export interface LazyScript<T> {
  /** What the script hands over; null until it has. */
  readonly value: T | null;
  /** Asks for it, once. `ready` is called when it is there. */
  load(ready: () => void): void;
}

/**
 * A script that hands over one function in an event named `event`. Without `src` it never comes.
 * The panel forbids scripts without the page's `nonce`.
 */
export function lazyScript<T>(
  src: string | null,
  nonce: string,
  event: string,
  isValue: (value: unknown) => value is T,
): LazyScript<T> {
  let value: T | null = null;
  const waiting: (() => void)[] = [];
  return {
    get value() {
      return value;
    },
    load(ready) {
      if (value !== null) {
        ready();
        return;
      }
      waiting.push(ready);
      if (waiting.length > 1 || src === null) return;
      window.addEventListener(
        event,
        (handed) => {
          const detail: unknown = handed instanceof CustomEvent ? handed.detail : null;
          if (!isValue(detail)) return;
          value = detail;
          for (const each of waiting.splice(0)) each();
        },
        { once: true },
      );
      const script = document.createElement("script");
      script.nonce = nonce;
      script.src = src;
      document.head.append(script);
    },
  };
}

/** Calls `run` when the browser has time. Safari has no idle callbacks. */
export function whenIdle(run: (deadline: { timeRemaining(): number }) => void): void {
  if ("requestIdleCallback" in window) window.requestIdleCallback(run, { timeout: 500 });
  else setTimeout(() => run({ timeRemaining: () => 10 }), 0);
}
