// Bounds of what one session may hold prepared: lists of changing length must not fill the server.
export const mostPrepared = 500
const mostParameters = 64
const longest = 16_000

/**
 * Tells which statements to have prepared, so that the server parses and plans them once for each session: those that
 * come back. One that is asked once would cost a round of memory there, and gain nothing.
 */
export const makePreparing = (enabled: boolean) => {
  const prepared = new Set<string>()
  const seenOnce = new Set<string>()
  return (text: string, parameters: ReadonlyArray<unknown>): boolean => {
    if (prepared.has(text)) return true
    if (!enabled || parameters.length > mostParameters || text.length > longest) return false
    if (prepared.size >= mostPrepared) return false
    if (seenOnce.delete(text)) {
      prepared.add(text)
      return true
    }
    if (seenOnce.size >= mostPrepared) seenOnce.clear()
    seenOnce.add(text)
    return false
  }
}

/** Tells whether to have a statement prepared. */
export type Preparing = ReturnType<typeof makePreparing>
