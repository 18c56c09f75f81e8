/**
 * How many times a random campaign is played: `short` in `npm test`, which has to be quick, and
 * `long` in `npm run test:all`, which looks for more. GRAFT_RUNS plays any other number.
 */
export function campaignRuns(short: number, long: number): number {
  return Number(process.env.GRAFT_RUNS ?? (process.env.GRAFT_LONG ? long : short));
}
