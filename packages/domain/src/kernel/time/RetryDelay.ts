/** The delay after failed attempt number `attempt` of background work, in seconds: a minute, doubling up to an hour. */
export const retryDelayAfter = (attempt: number): number => Math.min(60 * 2 ** (attempt - 1), 3600)
