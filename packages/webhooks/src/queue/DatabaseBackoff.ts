/** Exponential backoff for database failures, 250 ms to 2 s. */

/** How long one statement may take before it counts as failed. */
export const statementTimeout = "8 seconds"

/** Milliseconds to pause after the first failure. */
export const minPauseMillis = 250

const maxPauseMillis = 2_000

/** Milliseconds to pause after one more failure. */
export const nextPause = (pause: number): number => Math.min(pause * 2, maxPauseMillis)
