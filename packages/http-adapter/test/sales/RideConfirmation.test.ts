import { assert, layer } from "@effect/vitest"
import { DateTime, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { company } from "../support/Fleet.ts"
import { creditsOf, messagesTo, setCredits } from "../support/People.ts"
import { tariff } from "../support/Tenant.ts"
import { Ports } from "../support/TestPorts.ts"
import { openServer, record, records, refusedAs } from "../support/TestServer.ts"

const places = { pickup_lat: 47.3769, pickup_lng: 8.5417, dropoff_lat: 47.4502, dropoff_lng: 8.5618 }
const addresses = { pickup_address: "Main Station", dropoff_address: "Airport" }

let customers = 0

/**
 * A business that confirms its rides manually, with that many email credits, and the function that books a ride as a
 * visitor.
 */
const page = Effect.fnUntraced(function* (credits: number) {
  const server = yield* openServer()
  const owner = yield* company(server)
  yield* setCredits(owner.businessId, credits)
  record(yield* owner.send("POST", "/tariffs", tariff))
  const { vendor_slug } = record(
    yield* owner.send("PATCH", "/settings/business", { booking_confirmation_required: true })
  )
  const visit = (below: string, body: unknown) =>
    server.send("POST", `/public/businesses/${String(vendor_slug)}${below}`, { body })
  const to = `rider${(customers += 1)}@example.com`
  const trip_date = DateTime.formatIso(DateTime.add(yield* DateTime.now, { days: 3 }))
  const booked = Effect.gen(function* () {
    const { fares } = record(yield* visit("/estimate", { trip_date, ...places }))
    const [{ price_token } = {}] = fares as ReadonlyArray<Record<string, unknown>>
    const customer = { customer_name: "Ada", customer_email: to }
    const ride = record(yield* visit("/trips", { price_token, ...customer, ...addresses }))
    assert.strictEqual(ride["status"], "pending")
    const [trip] = records(yield* owner.send("GET", `/trips?reference=${String(ride["reference"])}`))
    return { path: `/trips/${String(trip?.["trip_id"])}`, ride }
  })
  const creditsLeft = creditsOf(owner.businessId)
  return { ...owner, booked, creditsLeft, mails: messagesTo(to) }
})

const confirmed = { status: "confirmed" }
const declined = { status: "cancelled" }

layer(Ports, { timeout: 60_000 })("a ride that the business confirms", (it) => {
  it.effect("sends the customer an email with a calendar file, for one credit", () =>
    Effect.gen(function* () {
      const { booked, creditsLeft, mails, send } = yield* page(2)
      const { path, ride } = yield* booked
      assert.isEmpty(yield* mails)
      assert.deepInclude(record(yield* send("PATCH", path, confirmed)), confirmed)
      const [mail, ...others] = yield* mails
      assert.isEmpty(others)
      assert.include(mail?.subject, String(ride["reference"]))
      assert.include(mail?.text, "Main Station – Airport")
      const [file] = mail?.attachments ?? []
      assert.strictEqual(file?.file_name, `${String(ride["reference"])}.ics`)
      assert.include(new TextDecoder().decode(file?.content), "LOCATION:Main Station")
      // Confirming again and other changes send nothing.
      record(yield* send("PATCH", path, { ...confirmed, notes: "Two bags" }))
      assert.deepStrictEqual([yield* creditsLeft, yield* mails], [1, []])
    })
  )

  it.effect("stays pending without a credit, unless no email is wanted", () =>
    Effect.gen(function* () {
      const { booked, creditsLeft, mails, send } = yield* page(0)
      const { path } = yield* booked
      refusedAs(yield* send("PATCH", path, { ...confirmed, notes: "Two bags" }), 403, "usage_limit_reached")
      assert.deepInclude(record(yield* send("GET", path)), { status: "pending", notes: null })
      // A change that confirms nothing needs no credit. Errors of the change precede that of a missing credit.
      record(yield* send("PATCH", path, { notes: "One bag" }))
      refusedAs(yield* send("PATCH", path, { ...confirmed, car_id: 999_999_999 }), 422, "invalid_request")
      refusedAs(yield* send("PATCH", path, { email: false }), 422, "invalid_request")
      assert.deepInclude(record(yield* send("PATCH", path, { ...confirmed, email: false })), {
        ...confirmed,
        notes: "One bag"
      })
      assert.deepStrictEqual([yield* creditsLeft, yield* mails], [0, []])
    })
  )

  it.effect("needs no credit if the customer has no address", () =>
    Effect.gen(function* () {
      const { booked, send } = yield* page(0)
      const { path } = yield* booked
      record(yield* send("PATCH", path, { ...confirmed, customer_email: null }))
    })
  )

  it.effect("sends one email, to the newest address, also if several requests confirm it concurrently", () =>
    Effect.gen(function* () {
      const { booked, creditsLeft, mails, send } = yield* page(10)
      const { path } = yield* booked
      const answers = yield* Effect.all(
        Array.from({ length: 6 }, () => send("PATCH", path, confirmed)),
        { concurrency: "unbounded" }
      )
      for (const answer of answers) assert.deepInclude(record(answer), confirmed)
      assert.lengthOf(yield* mails, 1)
      assert.strictEqual(yield* creditsLeft, 9)

      const other = yield* booked
      const to = `moved${customers}@example.com`
      record(yield* send("PATCH", other.path, { ...confirmed, customer_email: to }))
      assert.lengthOf(yield* messagesTo(to), 1)
      assert.deepStrictEqual([yield* creditsLeft, yield* mails], [8, []])
    })
  )
})

layer(Ports, { timeout: 60_000 })("a ride that the business declines", (it) => {
  it.effect("is told to the customer, without a calendar file and for one credit", () =>
    Effect.gen(function* () {
      const { booked, creditsLeft, mails, send } = yield* page(2)
      const { path, ride } = yield* booked
      assert.deepInclude(record(yield* send("PATCH", path, declined)), declined)
      const [mail, ...others] = yield* mails
      assert.isEmpty(others)
      assert.include(mail?.subject, `${String(ride["reference"])} is cancelled`)
      assert.include(mail?.text, "Main Station – Airport")
      assert.isEmpty(mail?.attachments ?? [])
      assert.strictEqual(yield* creditsLeft, 1)
    })
  )

  it.effect("stays pending without a credit, unless no email is wanted", () =>
    Effect.gen(function* () {
      const { booked, businessId, creditsLeft, mails, send } = yield* page(0)
      const sql = yield* SqlClient.SqlClient
      const { path } = yield* booked
      refusedAs(yield* send("PATCH", path, { ...declined, notes: "Full" }), 403, "usage_limit_reached")
      assert.deepInclude(record(yield* send("GET", path)), { status: "pending", notes: null })
      const cancellations = sql`
        SELECT FROM events WHERE business_id = ${businessId} AND event_type = 'trip.cancelled'`
      assert.isEmpty(yield* cancellations)
      record(yield* send("PATCH", path, { ...declined, email: false }))
      assert.lengthOf(yield* cancellations, 1)
      assert.deepStrictEqual([yield* creditsLeft, yield* mails], [0, []])
    })
  )

  it.effect("is told each answer once, however many requests confirm and decline it at once", () =>
    Effect.gen(function* () {
      const { booked, creditsLeft, mails, send } = yield* page(10)
      const { path } = yield* booked
      yield* Effect.all(
        Array.from({ length: 6 }, (_, index) => send("PATCH", path, index % 2 === 0 ? confirmed : declined)),
        { concurrency: "unbounded" }
      )
      assert.deepInclude(record(yield* send("GET", path)), declined)
      // A ride that was confirmed first is cancelled next. One that was cancelled cannot be confirmed any more.
      const subjects = (yield* mails).map(({ subject }) => subject)
      assert.lengthOf(
        subjects.filter((subject) => subject.endsWith("is cancelled")),
        1
      )
      assert.isAtMost(subjects.length, 2)
      assert.strictEqual(yield* creditsLeft, 10 - subjects.length)
    })
  )
})
