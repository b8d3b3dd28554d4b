/** A business with a booking page, and the requests of its visitors. */
import { DateTime, type Duration, Effect } from "effect"
import { company } from "../support/Fleet.ts"
import { tariff } from "../support/Tenant.ts"
import { record, type TestServer } from "../support/TestServer.ts"

/** The instant that long after the test's current time. */
export const later = (time: Duration.Input) =>
  Effect.map(DateTime.now, (now) => DateTime.formatIso(DateTime.addDuration(now, time)).replace(".000Z", "Z"))

/** The coordinates of a ride. */
export const places = { pickup_lat: 47.3769, pickup_lng: 8.5417, dropoff_lat: 47.4502, dropoff_lng: 8.5618 }

/** The contact data of a visitor. */
export const customer = { customer_name: "Ada", customer_email: "ada@example.com" }

/** The addresses of a ride. */
export const addresses = { pickup_address: "Main Station", dropoff_address: "Airport" }

/** A business with a tariff of two classes, and functions that send visitors' requests to its page. */
export const bookingPage = Effect.fnUntraced(function* (server: TestServer) {
  const owner = yield* company(server)
  const distance = [{ base: 20, tiers: [{ amount: 2.5 }] }]
  const { tariff_id } = record(
    yield* owner.send("POST", "/tariffs", {
      ...tariff,
      classes: [
        { vehicle_class: "sedan", distance },
        { vehicle_class: "bus", distance: [{ base: 200, tiers: [{ amount: 2.5 }] }] }
      ]
    })
  )
  const { vendor_slug } = record(yield* owner.send("GET", "/settings/business"))
  const path = `/public/businesses/${String(vendor_slug)}`
  const visit = (method: string, below: string, body?: unknown) =>
    server.send(method, `${path}${below}`, body === undefined ? {} : { body })
  const settings = (booking_page: object, others: object = {}) =>
    Effect.map(owner.send("PATCH", "/settings/business", { booking_page, ...others }), record)
  const faresAt = (trip_date: string) =>
    Effect.map(visit("POST", "/estimate", { trip_date, ...places }), record)
  const offered = Effect.fnUntraced(function* (trip_date: string, vehicleClass = "sedan") {
    const { fares } = yield* faresAt(trip_date)
    const fare = (fares as ReadonlyArray<Record<string, unknown>>).find(
      ({ vehicle_class }) => vehicle_class === vehicleClass
    )
    return { total: Number(fare?.["total_amount"]), price_token: String(fare?.["price_token"]) }
  })
  return { ...owner, faresAt, offered, path, settings, slug: String(vendor_slug), tariff_id, visit }
})
