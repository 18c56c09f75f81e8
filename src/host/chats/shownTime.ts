/** A time as a list shows it: the hour for today, else the date too. `at` is milliseconds since 1970; 0, which means unknown, gives "". */
export function shownTime(at: number): string {
  if (at === 0) return "";
  const time = new Date(at);
  const today = new Date().toDateString() === time.toDateString();
  return today
    ? time.toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" })
    : time.toLocaleString([], { dateStyle: "medium", timeStyle: "short" });
}
