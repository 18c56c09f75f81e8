/** The outlines of the icons, as paths in a 16×16 box. */
export const iconShapes = {
  check: "M3 8.5l3.2 3.2L13 4.8",
  cross: "M4 4l8 8M12 4l-8 8",
  warning: "M8 2.2L14.5 13.5h-13zM8 6.5v3.4M8 11.6v.6",
  info: "M8 1.8a6.2 6.2 0 100 12.4A6.2 6.2 0 008 1.8zM8 7.2v4M8 4.8v.6",
  clock: "M8 1.8a6.2 6.2 0 100 12.4A6.2 6.2 0 008 1.8zM8 4.6V8l2.3 1.6",
  spinner: "M8 1.8A6.2 6.2 0 1 1 1.8 8",
  stop: "M4 4h8v8H4z",
  stopped: "M8 1.8a6.2 6.2 0 100 12.4A6.2 6.2 0 008 1.8zM3.7 3.7l8.6 8.6",
  chevron: "M6 3.5L10.5 8 6 12.5",
  copy: "M5.5 5.5h8v8h-8zM10.5 5.5v-3h-8v8h3",
  question: "M8 1.8a6.2 6.2 0 100 12.4A6.2 6.2 0 008 1.8zM6 6.4C6 5.2 6.9 4.6 8 4.6s2 .7 2 1.8c0 1.4-2 1.5-2 2.9M8 11.2v.5",
  conflict: "M2.5 8h4M4.5 5.5L7 8l-2.5 2.5M13.5 8h-4M11.5 5.5L9 8l2.5 2.5",
  diff: "M8 2.5v6M5 5.5h6M5 12.5h6",
  edit: "M3 13l.6-2.8L10.8 3l2.2 2.2-7.2 7.2zM9.4 4.4l2.2 2.2",
  send: "M2.5 8L13.5 2.8 10 13.4 7.6 9z",
  retry: "M13 4v3.2H9.8M12.6 7A5 5 0 108 13a5 5 0 004.4-2.6",
  restore: "M3 4v3.2h3.2M3.4 7A5 5 0 1 1 8 13a5 5 0 0 1-4.4-2.6",
  down: "M8 3v9.5M4 8.8l4 4 4-4",
  report: "M2.5 4h11v7H7l-3 2.5V11H2.5z",
  part: "M3 8.5l3.2 3.2M8 9.9L13 4.8",
} as const;

/** The names of the icons. */
export type IconName = keyof typeof iconShapes;
