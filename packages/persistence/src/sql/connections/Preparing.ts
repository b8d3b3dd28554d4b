// Limits on the prepared statements of one session: lists of varying length must not fill the server's memory.
export const maxPreparedStatements = 500
const maxParameters = 64
const maxStatementLength = 16_000

/**
 * Decides which statements to prepare, so that the server parses and plans them once per session: those that are
 * repeated. Preparing a statement that runs once would use memory on the server for no gain.
 */
export const makePreparing = (enabled: boolean) => {
  const prepared = new Set<string>()
  const seenOnce = new Set<string>()
  return (text: string, parameters: ReadonlyArray<unknown>): boolean => {
    if (prepared.has(text)) return true
    if (!enabled || parameters.length > maxParameters || text.length > maxStatementLength) return false
    if (prepared.size >= maxPreparedStatements) return false
    if (seenOnce.delete(text)) {
      prepared.add(text)
      return true
    }
    if (seenOnce.size >= maxPreparedStatements) seenOnce.clear()
    seenOnce.add(text)
    return false
  }
}

/** Returns whether to prepare a statement. */
export type Preparing = ReturnType<typeof makePreparing>
