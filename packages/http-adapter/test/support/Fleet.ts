/** Fleets over HTTP: businesses on a plan, their cars, drivers and trips. */
import { Effect } from "effect"
import { business } from "./People.ts"
import { Rows } from "./Rows.ts"
import { type Ask, record, type TestServer } from "./TestServer.ts"

/** The plans as seeded (decisions, Conventions). */
export const plans = { free: 1, pro: 2, fleet: 3 } as const

/** A business on a plan, with functions that send its requests. */
export const company = Effect.fnUntraced(function* (server: TestServer, plan: keyof typeof plans = "fleet") {
  const owner = yield* business(server)
  yield* Rows.use((rows) => rows.setPlan(owner.businessId, plans[plan]))
  const send = (method: string, path: string, body?: unknown, headers?: Ask["headers"]) =>
    server.send(method, path, {
      credential: owner.key,
      ...(body === undefined ? {} : { body }),
      ...(headers === undefined ? {} : { headers })
    })
  const made = (path: string, body: object) => Effect.map(send("POST", path, body), record)
  return {
    ...owner,
    send,
    car: (body: object = {}) => made("/cars", { name: "Black", ...body }),
    driver: (body: object = {}) => made("/drivers", { name: "Dan", ...body }),
    customer: (body: object = {}) => made("/customers", { name: "Ada", ...body }),
    trip: (body: object = {}) =>
      made("/trips", {
        trip_date: "2026-12-24T18:00:00Z",
        pickup_address: "Here",
        dropoff_address: "There",
        customer_name: "Ada",
        ...body
      })
  }
})

/** The wrong fields of a refusal. */
export const wrong = (fields: Readonly<Record<string, string>>) =>
  Object.entries(fields).map(([field, issue]) => ({ field, issue }))
