/** A driver who is on the way to a pickup. */
import { Clock, Effect } from "effect"
import { assignment, driverOf } from "../support/Drivers.ts"
import { business } from "../support/People.ts"
import { record, type Wire } from "../support/Wire.ts"

/** A place on the globe. */
export const here = { lat: 47.3769, lng: 8.5417 }

/**
 * A business with a driver on the way to a pickup, with functions for the driver's reports and the business's reads.
 */
export const driverUnderWay = Effect.fnUntraced(function* (wire: Wire) {
  const acme = yield* business(wire)
  const driver = yield* driverOf(wire, acme.businessId)
  const job = yield* assignment(acme.businessId, { driverId: driver.driverId, status: "en_route" })
  const ago = (seconds: number) =>
    Effect.map(Clock.currentTimeMillis, (now) => new Date(now - seconds * 1000).toISOString())
  const post = (path: string, body: unknown) =>
    wire.send("POST", `/me/driver${path}`, { credential: driver.token, body })
  const read = (path: string) => wire.send("GET", path, { credential: acme.key })
  return {
    acme,
    driver,
    job,
    ago,
    post,
    read,
    where: Effect.map(read(`/trips/${job.tripId}/location`), record)
  }
})
