/** A business that sells rides by a tariff, and drives them. */
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { company } from "../support/Fleet.ts"
import { booking } from "../support/Tenant.ts"
import { record, type TestServer } from "../support/TestServer.ts"

/** 20 for the ride and 2.50 for each kilometre; 15 minutes of waiting are free at an address, 60 for a flight. */
export const tariff = {
  name: "Prices",
  currency: "USD",
  classes: [
    { vehicle_class: "sedan", distance: [{ base: 20, tiers: [{ amount: 2.5 }] }] },
    { vehicle_class: "van", distance: [{ base: 60 }] }
  ],
  modifiers: {
    waiting: [
      { arrivals: ["flight"], free_minutes: 60, amount: 0.5 },
      { free_minutes: 15, amount: 0.5 }
    ],
    no_show: [{ percent: 80 }]
  }
}

/** A ride of 10 km and 20 minutes, at 45 by that tariff. */
export const ride = { ...booking, distance_m: 10_000, duration_minutes: 20 }

/** A business with that tariff and a driver, and functions that sell a ride and drive it. */
export const carrier = Effect.fnUntraced(function* (server: TestServer) {
  const owner = yield* company(server)
  const { send } = owner
  const { tariff_id } = record(yield* send("POST", "/tariffs", tariff))
  const { driver_id } = yield* owner.driver()
  const sold = Effect.fnUntraced(function* (trip: object = {}, extras: ReadonlyArray<object> = []) {
    const items = [{ description: "Ride", trip: { ...ride, ...trip } }, ...extras]
    const { quote_id } = record(yield* send("POST", "/quotes", { customer_name: "Ada", items }))
    yield* send("POST", `/quotes/${String(quote_id)}/price`, { vehicle_class: "sedan" })
    const { trip_ids } = record(yield* send("POST", `/quotes/${String(quote_id)}/convert`))
    const [id] = trip_ids as ReadonlyArray<number>
    return { quote_id, path: `/trips/${String(id)}` }
  })
  const report = (path: string, body: object) =>
    Effect.map(send("PATCH", `${path}/driver-status`, body), record)
  /** Reports the arrival at the pickup time, and the boarding or the no-show `minutes` later. */
  const waited = Effect.fnUntraced(function* (
    path: string,
    minutes: number,
    milestone: "passenger_on_board" | "no_show"
  ) {
    yield* TestClock.setTime(Date.parse("2026-12-24T21:00:00Z"))
    record(yield* send("POST", `${path}/drivers`, { driver_ids: [driver_id] }))
    yield* report(path, { status: "en_route", milestone: "arrived_at_pickup", at: booking.trip_date })
    const at = new Date(Date.parse(booking.trip_date) + minutes * 60_000).toISOString()
    yield* report(path, { milestone, at })
  })
  const fare = (path: string) => Effect.map(send("GET", `${path}/fare`), record)
  const read = (path: string) => Effect.map(send("GET", path), record)
  return { ...owner, driver_id, tariffId: Number(tariff_id), sold, report, waited, fare, read }
})

/** The steps and amounts of the lines of a fare. */
export const linesOf = (computed: unknown) =>
  (computed as { readonly fare: { readonly lines: ReadonlyArray<Record<string, unknown>> } }).fare.lines.map(
    ({ amount, step }) => [step, amount]
  )
