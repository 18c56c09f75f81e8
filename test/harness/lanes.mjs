// The lanes of npm test and npm run test:all.
import fs from "node:fs";
import path from "node:path";
import { root } from "./root.mjs";
import { bin, IN_BROWSER, integration, PATIENT, program, STRICT, suite } from "./suites.mjs";

/**
 * Something to play: what it needs installed, and whether the machine must do nothing else.
 * @typedef {{ name: string, needs?: "built" | "browser" | "editor" | "window" | "voice",
 *   alone?: boolean, play: () => Promise<import("./testResults.mjs").Outcome> }} Job
 */

/** Tests of the panel alone: they need a browser but no editor. Those of a job share one. */
const PANEL_JOBS = [
  { name: "how the panel looks", files: ["accessibility", "drawn", "voicePageLook", "longChat"] },
  {
    name: "what the panel does",
    files: [
      ...["panel", "composer", "transcript", "queueAndVersions", "answer", "editBlocks"],
      ...["attachments", "attachedImages", "toolCalls", "questions", "permissions", "review"],
      ...["fileCards", "fileCardsLive", "candidates"],
    ],
  },
].map(({ name, files }) => ({ name, files: files.map((file) => `test/ui/${file}.test.ts`) }));
const PANEL_TESTS = PANEL_JOBS.flatMap(({ files }) => files);
/** They measure, so they have the machine for themselves. */
const VOICE_TESTS = ["voicePage", "voice", "voiceMatrix"].map((name) => `test/ui/${name}.test.ts`);
/** They wait more than they work. */
const SHADOW_ATTACKS = "test/attacks/shadow.test.ts";
const GIT_ATTACKS = ["git", "stranger"].map((name) => `test/attacks/${name}.test.ts`);
/** It only measures: see CONTRIBUTING.md. */
const MEASURED_BY_HAND = "test/load/manyChats.test.ts";
/** The rooms of the unit tests that take longest. */
const LONG_ROOMS = ["agent", "cli", "tools", "syntax", "edits", "node", "model"];

/**
 * Plays files of mocha's in one process. @param {string} name @param {string[]} specs
 * @param {import("./suites.mjs").Patience} patience @param {Partial<Job>} [more] @returns {Job}
 */
const tests = (name, specs, patience, more = {}) => ({
  name,
  play: () => suite(name, specs, patience),
  ...more,
});

/** @param {string} name @param {string[]} args @returns {Job} */
const check = (name, args) => ({ name, play: () => program(name, args) });

/** @param {"node" | "web"} host @param {import("./suites.mjs").Patience} patience @returns {Job} */
const inHost = (host, patience) => ({
  name: `the ${host} host`,
  needs: "editor",
  play: () => integration(host, patience),
});

/**
 * A job for each test file of a folder. @param {string} dir @param {Partial<Job>} more
 * @param {string[]} [except]
 */
const eachFile = (dir, more, except = []) =>
  testsIn(dir, except).map((file) => tests(file, [file], PATIENT, more));

/** The test files of a folder. @param {string} dir @param {string[]} [except] */
const testsIn = (dir, except = []) =>
  fs
    .readdirSync(path.join(root, dir))
    .map((name) => `${dir}/${name}`)
    .filter((file) => file.endsWith(".test.ts") && !except.includes(file));

/**
 * A job for each long folder of the unit tests, and one for all others: a process takes seconds to
 * load the code. The longest first.
 */
function eachRoom() {
  const rooms = fs
    .readdirSync(path.join(root, "test/unit"), { withFileTypes: true })
    .flatMap((entry) => (entry.isDirectory() ? [entry.name] : []));
  const others = rooms.filter((room) => !LONG_ROOMS.includes(room));
  const specs = (/** @type {string} */ room) => `test/unit/${room}/**/*.test.ts`;
  return [
    ...LONG_ROOMS.map((room) => tests(`test/unit/${room}`, [specs(room)], STRICT)),
    tests(
      "the other unit tests, and the project",
      [...others.map(specs), "test/*.test.ts", "test/unit/*.test.ts"],
      STRICT,
    ),
  ];
}

/**
 * Every lane: `always` is part of `npm test`, `all` only of `npm run test:all`, and `named` of
 * neither. Those that take longest come first.
 * @type {{ name: string, when: "always" | "all" | "named", jobs: () => Job[] }[]}
 */
export const LANES = [
  {
    name: "load",
    when: "all",
    jobs: () => eachFile("test/load", { needs: "window" }, [MEASURED_BY_HAND]),
  },
  {
    name: "journeys",
    when: "always",
    jobs: () => [tests("journeys", ["test/journeys/*.test.ts"], IN_BROWSER, { needs: "window" })],
  },
  { name: "node", when: "always", jobs: () => [inHost("node", IN_BROWSER)] },
  { name: "web", when: "all", jobs: () => [inHost("web", PATIENT)] },
  {
    name: "ui",
    when: "all",
    jobs: () => eachFile("test/ui", { needs: "window" }, [...PANEL_TESTS, ...VOICE_TESTS]),
  },
  {
    name: "attacks",
    when: "always",
    jobs: () => [
      tests("attacks on shadows", [SHADOW_ATTACKS], STRICT),
      tests("attacks by git", GIT_ATTACKS, STRICT),
      tests("attacks", testsIn("test/attacks", [SHADOW_ATTACKS, ...GIT_ATTACKS]), STRICT),
    ],
  },
  {
    name: "unit",
    when: "always",
    jobs: () => eachRoom(),
  },
  {
    name: "panel",
    when: "always",
    jobs: () =>
      PANEL_JOBS.map(({ name, files }) => tests(name, files, IN_BROWSER, { needs: "browser" })),
  },
  {
    name: "npm",
    when: "always",
    jobs: () => [tests("the npm package", ["test/npm/*.test.ts"], STRICT, { needs: "built" })],
  },
  {
    name: "check",
    when: "always",
    jobs: () => [
      check("biome", [bin("@biomejs/biome/bin/biome"), "check", "--error-on-warnings", "."]),
      ...[".", "src", "webview"].map((project) =>
        check(`types of ${project}`, [bin("typescript/bin/tsc"), "-p", path.join(root, project)]),
      ),
    ],
  },
  {
    name: "voice",
    when: "all",
    jobs: () => [
      tests("voice with real speech", VOICE_TESTS, PATIENT, { needs: "voice", alone: true }),
    ],
  },
  { name: "agents", when: "named", jobs: () => eachFile("test/agents", { needs: "built" }) },
];
