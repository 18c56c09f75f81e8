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
  question:
    "M8 1.8a6.2 6.2 0 100 12.4A6.2 6.2 0 008 1.8zM6 6.4C6 5.2 6.9 4.6 8 4.6s2 .7 2 1.8c0 1.4-2 1.5-2 2.9M8 11.2v.5",
  conflict: "M2.5 8h4M4.5 5.5L7 8l-2.5 2.5M13.5 8h-4M11.5 5.5L9 8l2.5 2.5",
  diff: "M8 2.5v6M5 5.5h6M5 12.5h6",
  edit: "M3 13l.6-2.8L10.8 3l2.2 2.2-7.2 7.2zM9.4 4.4l2.2 2.2",
  apply: "M8 2.5v7M4.5 6h7M4.5 13h7",
  send: "M2.5 8L13.5 2.8 10 13.4 7.6 9z",
  retry: "M13 4v3.2H9.8M12.6 7A5 5 0 108 13a5 5 0 004.4-2.6",
  restore: "M3 4v3.2h3.2M3.4 7A5 5 0 1 1 8 13a5 5 0 0 1-4.4-2.6",
  down: "M8 3v9.5M4 8.8l4 4 4-4",
  report: "M2.5 4h11v7H7l-3 2.5V11H2.5z",
  part: "M3 8.5l3.2 3.2M8 9.9L13 4.8",
  add: "M8 3v10M3 8h10",
  image: "M2 3h12v10H2zM2 11l3.500-3.500 3 3 2-2 3.500 3.500M10.500 6h.1",
  file: "M3.8 1.8h5.4l3 3v9.4H3.8zM9.2 1.8v3h3",
  folder: "M1.8 3.5h4.4l1.5 1.8h6.5v7.2H1.8z",
  symbol:
    "M6 2.5c-1.8 0-2 .8-2 2.5s0 2.600-1.5 3C4 8.4 4 9.3 4 11s.2 2.5 2 2.5M10 2.5c1.8 0 2 .8 2 2.5s0 2.600 1.5 3c-1.5.4-1.5 1.3-1.5 3s-.2 2.5-2 2.5",
  terminal: "M1.8 3h12.4v10H1.8zM4.3 6l2 2-2 2M8.2 10.3h3",
  list: "M3 4.5h10M3 8h10M3 11.5h10",
  microphone:
    "M8 1.8a2 2 0 0 1 2 2v4a2 2 0 0 1-4 0v-4a2 2 0 0 1 2-2zM3.8 7.6a4.2 4.2 0 0 0 8.4 0M8 11.8v2.4M5.8 14.2h4.4",
  speaker: "M2.2 6h2.6L8.2 3v10L4.8 10H2.2zM10.6 5.8a3.2 3.2 0 0 1 0 4.4M12.5 4a5.7 5.7 0 0 1 0 8",
  muted: "M2.2 6h2.6L8.2 3v10L4.8 10H2.2zM10.6 6.2l3.6 3.6M14.2 6.200l-3.6 3.6",
} as const;

/** The names of the icons. */
export type IconName = keyof typeof iconShapes;
