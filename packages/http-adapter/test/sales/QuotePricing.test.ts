import { greatCircleRoute, Routing } from "@livery/domain"
import { assert, layer } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import { watchTransactions } from "../support/OpenTransactions.ts"
import { booking, tariff } from "../support/Tenant.ts"
import { Ports } from "../support/TestPorts.ts"
import { openServer, record, refusedAs } from "../support/TestServer.ts"
import { seller } from "./QuoteSeller.ts"

/** A trip without a distance, which the routing service computes. */
const ride = {
  ...booking,
  pickup_lat: 47.3769,
  pickup_lng: 8.5417,
  dropoff_lat: 47.4502,
  dropoff_lng: 8.5618
}
const items = [{ description: "Ride", trip: ride }]
const byTariff = { vehicle_class: "sedan" }

/** Starts to price a quote. The routing service responds once `pricing` is run. */
const waitingForRoute = Effect.fnUntraced(function* (customer: object = {}) {
  const [asked, answered] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
  const routing = Routing.of({
    route: Effect.fnUntraced(function* (points, settings) {
      yield* Deferred.succeed(asked, undefined)
      yield* Deferred.await(answered)
      return greatCircleRoute(points, settings)
    })
  })
  const server = yield* openServer().pipe(Effect.provideService(Routing, routing))
  const { quote, send, step } = yield* seller(server)
  record(yield* send("POST", "/tariffs", tariff))
  const { quote_id } = yield* quote({ items, ...customer })
  const waiting = yield* Effect.forkChild(step(quote_id, "price", byTariff))
  yield* Deferred.await(asked)
  const pricing = Effect.andThen(Deferred.succeed(answered, undefined), Fiber.join(waiting))
  return { pricing, quoteId: String(quote_id), send }
})

layer(Ports, { timeout: 60_000 })("pricing by the tariff", (it) => {
  it.effect("calls the routing service while no transaction is open, also with an idempotency key", () =>
    Effect.gen(function* () {
      const { open, watched } = yield* watchTransactions
      const routing = Routing.of({
        route: watched((points, settings) => Effect.succeed(greatCircleRoute(points, settings)))
      })
      const server = yield* openServer().pipe(Effect.provideService(Routing, routing))
      const { quote, send } = yield* seller(server)
      const { vendor_slug: slug } = record(yield* send("GET", "/settings/business"))
      record(yield* send("POST", "/tariffs", tariff))
      const { quote_id } = yield* quote({ items })
      const { trip_id } = record(yield* send("POST", "/trips", ride))
      const places = Object.fromEntries(
        Object.entries(ride).filter(([name]) => /_(?:lat|lng|date)$/u.test(name))
      )
      for (const [path, body] of [
        [`/quotes/${String(quote_id)}/price`, byTariff],
        [`/trips/${String(trip_id)}/fare`, byTariff],
        ["/fares/estimate", places],
        [`/public/businesses/${String(slug)}/estimate`, places]
      ] as const)
        for (const headers of [{}, { "idempotency-key": path }, { "idempotency-key": path }])
          record(yield* send("POST", path, body, headers))
      // A repeated request does not call the routing service.
      assert.deepStrictEqual(
        open,
        Array.from({ length: 8 }, () => 0)
      )
      assert.deepInclude(record(yield* send("GET", `/quotes/${String(quote_id)}`)), { version: 3 })
    })
  )

  it.effect("restarts with the new offer if the quote changes during the call of the routing service", () =>
    Effect.gen(function* () {
      const { pricing, quoteId, send } = yield* waitingForRoute()
      const near = { ...ride, distance_m: 10_000, duration_minutes: 20 }
      const fee = { description: "Meet and greet", amount: 15 }
      const changed = [{ description: "Shorter ride", trip: near }, fee]
      record(yield* send("PATCH", `/quotes/${quoteId}`, { items: changed }))
      // 20 for the ride, 2.50 for each of 10 km, and the fee of the new offer.
      assert.deepInclude(record(yield* pricing), { total_amount: 60, version: 3, status: "draft" })
    })
  )

  it.effect("is refused if the quote is rejected during the call of the routing service", () =>
    Effect.gen(function* () {
      const { pricing, quoteId, send } = yield* waitingForRoute()
      record(yield* send("POST", `/quotes/${quoteId}/reject`))
      assert.deepStrictEqual(refusedAs(yield* pricing, 422, "invalid_request"), [
        { field: "status", issue: "illegal_transition" }
      ])
      const read = record(yield* send("GET", `/quotes/${quoteId}`))
      assert.deepInclude(read, { status: "rejected", total_amount: null, version: 1 })
    })
  )

  it.effect("does not store the person again who is erased during the call of the routing service", () =>
    Effect.gen(function* () {
      const email = "erased@example.com"
      const { pricing, quoteId, send } = yield* waitingForRoute({ customer_email: email })
      record(yield* send("POST", "/persons/erase", { email, force: true }))
      const erased = { description: "Erased", trip: null, amount: null, fare: null }
      for (const answer of [yield* pricing, yield* send("GET", `/quotes/${quoteId}`)])
        assert.deepInclude(record(answer), { customer_name: "Erased", items: [erased] })
    })
  )
})
