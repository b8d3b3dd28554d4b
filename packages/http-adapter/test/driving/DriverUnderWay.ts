/** A driver who is on the way to a pickup. */
import { Clock, Effect } from "effect"
import { assignment, driverOf } from "../support/Drivers.ts"
import { business } from "../support/People.ts"
import { record, type TestServer } from "../support/TestServer.ts"

/** A place on the globe. */
export const here = { lat: 47.3769, lng: 8.5417 }

/**
 * A business with a driver on the way to a pickup, with functions for the driver's reports and the business's reads.
 */
export const driverUnderWay = Effect.fnUntraced(function* (server: TestServer) {
  const acme = yield* business(server)
  const driver = yield* driverOf(server, acme.businessId)
  const job = yield* assignment(acme.businessId, { driverId: driver.driverId, status: "en_route" })
  const ago = (seconds: number) =>
    Effect.map(Clock.currentTimeMillis, (now) => new Date(now - seconds * 1000).toISOString())
  const post = (path: string, body: unknown) =>
    server.send("POST", `/me/driver${path}`, { credential: driver.token, body })
  const read = (path: string) => server.send("GET", path, { credential: acme.key })
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
