/** The header `Retry-After` (RFC 9110, 10.2.3). */

/** Seconds from `now` (Unix milliseconds) that the header asks for; 0 if it is absent, past or in neither of its forms. */
export const secondsToWait = (header: string | ReadonlyArray<string> | undefined, now: number): number => {
  if (typeof header !== "string") return 0
  const text = header.trim()
  if (/^\d{1,9}$/u.test(text)) return Number(text)
  // Only dates that name their zone: any other would be read in this machine's zone.
  const at = text.endsWith(" GMT") ? Date.parse(text) : Number.NaN
  return Number.isNaN(at) ? 0 : Math.max(0, Math.ceil((at - now) / 1000))
}
