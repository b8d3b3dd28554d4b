/** The header `Retry-After` (RFC 9110, 10.2.3). */

/** The seconds from `now` (Unix milliseconds) until the time in the header; 0 if it is absent, past or malformed. */
export const secondsToWait = (header: string | ReadonlyArray<string> | undefined, now: number): number => {
  if (typeof header !== "string") return 0
  const text = header.trim()
  if (/^\d+$/u.test(text)) return Number(text)
  // Only dates with the zone GMT: any other would be parsed in this machine's zone.
  const at = text.endsWith(" GMT") ? Date.parse(text) : Number.NaN
  return Number.isNaN(at) ? 0 : Math.max(0, Math.ceil((at - now) / 1000))
}
