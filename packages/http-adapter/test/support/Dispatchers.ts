/** A business over HTTP, with drivers and trips of its own. */
import { BusinessId, DriverRepository } from "@livery/domain"
import { DateTime, Effect } from "effect"
import { driverProfile } from "../../../../test/contract/Given.ts"
import { business } from "./People.ts"
import { Rows } from "./Rows.ts"
import { type Ask, record, type TestServer } from "./TestServer.ts"

/** Adds a driver to a business, without the plan's limit. */
export const newDriver = Effect.fnUntraced(function* (businessId: number, name = "Grace") {
  const drivers = yield* DriverRepository
  const { driver_id } = yield* drivers.insert(
    BusinessId.make(businessId),
    driverProfile({ name }),
    yield* DateTime.now
  )
  return Number(driver_id)
})

/** The body of a booking. */
const booking = {
  trip_date: "2026-12-24T18:00:00Z",
  pickup_address: "Here",
  dropoff_address: "There",
  customer_name: "Ada"
}

/** A business with two drivers, and functions that send its requests. */
export const dispatcher = Effect.fnUntraced(function* (server: TestServer) {
  const { businessId, key, token, userId } = yield* business(server)
  const send = (method: string, path: string, body?: unknown, headers?: Ask["headers"]) =>
    server.send(method, path, {
      credential: key,
      ...(body === undefined ? {} : { body }),
      ...(headers === undefined ? {} : { headers })
    })
  const rows = yield* Rows
  let seen = 0
  const book = (change: object = {}) =>
    Effect.map(send("POST", "/trips", { ...booking, ...change }), (answer) =>
      Number(record(answer)["trip_id"])
    )
  return {
    businessId,
    key,
    token,
    userId,
    send,
    book,
    drivers: [yield* newDriver(businessId), yield* newDriver(businessId, "Ada")] as const,
    /** The types of the events since the last call, the oldest first. */
    newEvents: Effect.map(rows.eventsOf(businessId), (events) => {
      const types = events.slice(seen).map(({ type }) => type)
      seen = events.length
      return types
    })
  }
})
