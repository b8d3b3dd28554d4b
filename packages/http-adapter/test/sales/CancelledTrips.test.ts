/** Cancelling a ride of the booking page by `PATCH /trips/{id}` tells the customer, as cancelling a booking does. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { creditsOf, messagesTo, setCredits } from "../support/People.ts"
import { excursion, tariff } from "../support/Tenant.ts"
import { Ports } from "../support/TestPorts.ts"
import { type Answer, openServer, record, records, refusedAs } from "../support/TestServer.ts"
import { addresses, bookingPage, later } from "./BookingPage.ts"

let customers = 0

/** A business with that many email credits whose visitor has a confirmed ride and a confirmed booking with a trip. */
const sold = Effect.fnUntraced(function* (credits: number) {
  const page = yield* bookingPage(yield* openServer())
  const sql = yield* SqlClient.SqlClient
  const { businessId, send, visit } = page
  const to = `passenger${(customers += 1)}@example.com`
  const customer = { customer_name: "Ada", customer_email: to }
  const { product_id } = record(yield* send("POST", "/products", { ...excursion, capacity: 2 }))
  const ride = Effect.gen(function* () {
    const { price_token } = yield* page.offered(yield* later("3 days"))
    const { reference } = record(yield* visit("POST", "/trips", { price_token, ...customer, ...addresses }))
    const [trip] = records(yield* send("GET", `/trips?reference=${String(reference)}`))
    assert.deepInclude(trip, { status: "confirmed" })
    return { path: `/trips/${String(trip?.["trip_id"])}`, reference: String(reference) }
  })
  const booking = Effect.gen(function* () {
    const starts_at = yield* later("3 days")
    const made = record(
      yield* send("POST", "/bookings", { ...customer, product_id, starts_at, participants_count: 2 })
    )
    const path = `/bookings/${String(made["booking_id"])}`
    const { trip_id } = record(yield* send("POST", `${path}/confirm`, { email: false }))
    return { path, reference: String(made["reference"]), trip: `/trips/${String(trip_id)}` }
  })
  yield* setCredits(businessId, credits)
  const creditsLeft = creditsOf(businessId)
  const cancellations = Effect.map(
    sql`SELECT FROM events WHERE business_id = ${businessId} AND event_type = 'trip.cancelled'`,
    ({ length }) => length
  )
  const statusOf = (path: string) => Effect.map(send("GET", path), (answer) => record(answer)["status"])
  return { ...page, booking, cancellations, creditsLeft, customer, mails: messagesTo(to), ride, statusOf }
})

const cancelled = { status: "cancelled" }

const succeeded = (answers: ReadonlyArray<Answer>) => answers.filter(({ status }) => status === 200)

layer(Ports, { timeout: 60_000 })("a confirmed ride of the booking page that the business cancels", (it) => {
  it.effect("is told to the customer, once and for one credit, also if several requests cancel it", () =>
    Effect.gen(function* () {
      const { cancellations, creditsLeft, mails, ride, send } = yield* sold(10)
      const { path, reference } = yield* ride
      assert.lengthOf(yield* mails, 1)
      const answers = yield* Effect.all(
        Array.from({ length: 5 }, () => send("PATCH", path, cancelled)),
        { concurrency: "unbounded" }
      )
      assert.lengthOf(succeeded(answers), 1)
      const [mail, ...others] = yield* mails
      assert.isEmpty(others)
      assert.include(mail?.subject, `${reference} is cancelled`)
      assert.deepStrictEqual([yield* creditsLeft, yield* cancellations], [8, 1])
    })
  )

  it.effect("stays confirmed without a credit, unless no email is wanted", () =>
    Effect.gen(function* () {
      const { cancellations, creditsLeft, mails, ride, send, statusOf } = yield* sold(0)
      const { path } = yield* ride
      refusedAs(yield* send("PATCH", path, cancelled), 403, "usage_limit_reached")
      assert.deepStrictEqual([yield* statusOf(path), yield* cancellations], ["confirmed", 0])
      record(yield* send("PATCH", path, { ...cancelled, email: false }))
      assert.deepStrictEqual([yield* creditsLeft, yield* mails, yield* cancellations], [0, [], 1])
    })
  )

  it.effect("is the only trip whose customer is told", () =>
    Effect.gen(function* () {
      const { creditsLeft, customer, mails, ride, send } = yield* sold(0)
      const { path } = yield* ride
      const body = { ...customer, ...addresses, trip_date: yield* later("5 days") }
      const entered = record(yield* send("POST", "/trips", body))
      const copied = record(yield* send("POST", `${path}/duplicate`, {}))
      for (const { trip_id } of [entered, copied])
        record(yield* send("PATCH", `/trips/${String(trip_id)}`, cancelled))
      assert.deepStrictEqual([yield* creditsLeft, yield* mails], [0, []])
    })
  )
})

layer(Ports, { timeout: 60_000 })("the trip of a booking that the business cancels", (it) => {
  it.effect("leaves the booking as it is, whose cancellation then tells the customer", () =>
    Effect.gen(function* () {
      const { booking, creditsLeft, mails, send, statusOf } = yield* sold(10)
      const { path, reference, trip } = yield* booking
      record(yield* send("PATCH", trip, cancelled))
      assert.deepStrictEqual([yield* statusOf(path), yield* mails, yield* creditsLeft], ["confirmed", [], 10])
      record(yield* send("POST", `${path}/cancel`))
      const [mail, ...others] = yield* mails
      assert.isEmpty(others)
      assert.include(mail?.subject, `${reference} is cancelled`)
      assert.strictEqual(yield* creditsLeft, 9)
    })
  )

  it.effect("tells the customer once if the booking is cancelled at the same time", () =>
    Effect.gen(function* () {
      const { booking, creditsLeft, mails, send, statusOf } = yield* sold(20)
      for (let round = 1; round <= 4; round++) {
        const { path, trip } = yield* booking
        yield* Effect.all(
          [
            send("PATCH", trip, cancelled),
            send("POST", `${path}/cancel`),
            send("PATCH", trip, cancelled),
            send("POST", `${path}/cancel`)
          ],
          { concurrency: "unbounded" }
        )
        assert.deepStrictEqual([yield* statusOf(path), yield* statusOf(trip)], ["cancelled", "cancelled"])
        assert.lengthOf(yield* mails, 1)
        assert.strictEqual(yield* creditsLeft, 20 - round)
      }
    })
  )

  it.effect(
    "names the customer as its author if a visitor booked it, and is cancelled without an email",
    () =>
      Effect.gen(function* () {
        const { creditsLeft, customer, mails, send, visit } = yield* sold(10)
        record(yield* send("POST", "/tariffs", { ...tariff, currency: "USD" }))
        const [product] = records(yield* send("GET", "/products"))
        const made = record(
          yield* visit("POST", "/bookings", {
            ...customer,
            product_id: product?.["product_id"],
            starts_at: yield* later("3 days")
          })
        )
        const [booked] = records(yield* send("GET", `/bookings?reference=${String(made["reference"])}`))
        const trip = `/trips/${String(booked?.["trip_id"])}`
        const [first] = records(yield* send("GET", `${trip}/timeline`))
        assert.strictEqual(first?.["actor"], "customer")
        assert.lengthOf(yield* mails, 1)
        // Also with a fare, which the trips of rides have.
        record(yield* send("PATCH", trip, { distance_m: 10_000, trip_type: "transfer" }))
        record(yield* send("POST", `${trip}/fare`, { vehicle_class: "sedan" }))
        record(yield* send("PATCH", trip, cancelled))
        assert.deepStrictEqual([yield* mails, yield* creditsLeft], [[], 9])
        record(yield* send("POST", `/bookings/${String(booked?.["booking_id"])}/cancel`))
        assert.lengthOf(yield* mails, 1)
      })
  )
})
