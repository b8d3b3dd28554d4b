/** How the dispatcher bears with a database that is away: it asks again, soon at first and never seldom. */

/** How long one statement may take before it counts as failed. */
export const statementLimit = "8 seconds"

/** Milliseconds to pause after a first failure. */
export const shortestPause = 250

const longestPause = 2_000

/** Milliseconds to pause after one more failure. */
export const nextPause = (pause: number): number => Math.min(pause * 2, longestPause)
