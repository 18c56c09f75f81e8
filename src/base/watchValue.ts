import type { Disposable } from "./disposable.ts";

/**
 * Calls `show` with a value now and whenever it has changed, at most once per `ms` milliseconds.
 * `listen` subscribes to possible changes.
 */
export function watchValue<T>(
  read: () => T,
  listen: (changed: () => void) => Disposable,
  ms: number,
  show: (value: T) => void,
): Disposable {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let shown: string | undefined;
  const report = () => {
    timer = undefined;
    const value = read();
    const text = JSON.stringify(value);
    if (text === shown) return;
    shown = text;
    show(value);
  };
  report();
  const listening = listen(() => {
    timer ??= setTimeout(report, ms);
  });
  return {
    dispose() {
      clearTimeout(timer);
      listening.dispose();
    },
  };
}
