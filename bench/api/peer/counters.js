/** Rate limits: fixed windows of a minute by the clock, counted in memory or in PostgreSQL. */
import { countRequest } from "./statements.js"

const windowSeconds = 60

/**
 * Counters of this process. `count` calls back with `{ used, resetsAt }`: the uses of a key in this window and its end
 * in Unix seconds.
 */
export const memoryCounters = () => {
  let window = -1
  const counts = new Map()
  return {
    count: (key, done) => {
      const current = Math.floor(Date.now() / 1000 / windowSeconds)
      if (current !== window) {
        window = current
        counts.clear()
      }
      const used = (counts.get(key) ?? 0) + 1
      counts.set(key, used)
      done(null, { used, resetsAt: (current + 1) * windowSeconds })
    }
  }
}

/** The same for counters that all nodes share. */
export const postgresCounters = (pool) => ({
  count: (key, done) => {
    pool.query({ ...countRequest, values: [key] }, (error, result) => {
      if (error) return done(error)
      const [{ resets_at, used }] = result.rows
      return done(null, { used, resetsAt: resets_at })
    })
  }
})

/** The headers that tell a caller where it stands. */
export const rateHeaders = (limit, { resetsAt, used }) => {
  const headers = {
    "x-ratelimit-limit": limit,
    "x-ratelimit-remaining": Math.max(0, limit - used),
    "x-ratelimit-reset": resetsAt
  }
  if (used > limit)
    headers["retry-after"] = Math.min(windowSeconds, Math.max(1, resetsAt - Math.floor(Date.now() / 1000)))
  return headers
}
