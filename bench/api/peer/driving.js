/** The route on which a driver reports a position. */
import { dataOf, locationInput, receipt } from "./schemas.js"
import { recordPosition } from "./statements.js"

/** How far the clock of a phone may be ahead. */
const toleranceMillis = 60_000

/** Phones send -1 for what they could not measure. */
const known = (value) => (value === null || value < 0 ? null : value)

const measuredAt = (recordedAt, now) => {
  if (recordedAt === null) return now
  const text = recordedAt.trim().toUpperCase().replace(" ", "T")
  return new Date(/(?:Z|[+-]\d{2}:?\d{2})$/u.test(text.slice(10)) ? text : `${text}Z`)
}

export const driverRoutes = (app, { access, pool }) => {
  app.post(
    "/api/v1/driver/location",
    {
      onRequest: access.withDriverToken,
      schema: { body: locationInput, response: { 200: dataOf(receipt) } }
    },
    async ({ body, driver, id }) => {
      const now = new Date()
      const stated = measuredAt(body.recorded_at, now)
      const isAhead = stated.getTime() - now.getTime() > toleranceMillis
      const at = isAhead ? now : stated
      const { rows } = await pool.query({
        ...recordPosition,
        values: [
          driver.business_id,
          driver.driver_id,
          driver.assignment_id,
          at.toISOString(),
          body.lat,
          body.lng,
          known(body.accuracy),
          known(body.heading),
          known(body.speed)
        ]
      })
      return {
        data: { recorded: rows[0].recorded > 0, ...(isAhead ? { clock_ahead: true } : {}) },
        meta: { request_id: id }
      }
    }
  )
}
