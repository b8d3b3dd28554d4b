import {
  BusinessId,
  BusinessRepository,
  CustomerId,
  Erasures,
  type Person,
  PersonalData,
  RateCounters,
  TripRepository,
  UseCases
} from "@livery/domain"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import { unique } from "../../../../test/contract/Contract.ts"
import { newBusiness, newCustomer, newTrip } from "../../../../test/contract/Given.ts"
import { contactsIn, newSealedInvoice } from "../../../../test/contract/PersonalInvoices.ts"
import { company } from "../support/Fleet.ts"
import { superAdmin } from "../support/People.ts"
import { Ports } from "../support/TestPorts.ts"
import { openServer, record, refusedAs } from "../support/TestServer.ts"

/** The use cases on the port of personal data with other methods. */
const useCasesWith = (change: (personal: PersonalData["Service"]) => Partial<PersonalData["Service"]>) =>
  UseCases.pipe(
    Layer.provide(RateCounters.layerMemory),
    Layer.provide(
      Layer.effect(
        PersonalData,
        Effect.map(PersonalData, (personal) => PersonalData.of({ ...personal, ...change(personal) }))
      )
    ),
    Layer.fresh
  )

/** The use cases, whose erasures look for the trips of another person, and fail if they look for them more than three times. */
const boundedErasuresFor = (searchedFor: (person: Person) => Person) =>
  useCasesWith((personal) => {
    let calls = 0
    return {
      lockTrips: (person, ...window) =>
        (calls += 1) > 3
          ? Effect.die(new Error("It does not end"))
          : personal.lockTrips(searchedFor(person), ...window)
    }
  })

/** The use cases, whose erasures run `before` when they begin with the trips, the quotes and the bookings. */
const erasuresAfter = <E>(before: Effect.Effect<unknown, E>) =>
  useCasesWith((personal) => {
    const begun = new Set<string>()
    const atBegin = (step: string) =>
      Effect.suspend(() => (begun.has(step) ? Effect.void : Effect.orDie(Effect.asVoid(before)))).pipe(
        Effect.andThen(Effect.sync(() => begun.add(step)))
      )
    return {
      lockTrips: (...window) => Effect.andThen(atBegin("trips"), personal.lockTrips(...window)),
      eraseQuotes: (...batch) => Effect.andThen(atBegin("quotes"), personal.eraseQuotes(...batch)),
      eraseBookings: (...batch) => Effect.andThen(atBegin("bookings"), personal.eraseBookings(...batch))
    }
  })

const boundedErasures = boundedErasuresFor((person) => person)

const actingFor = Effect.fnUntraced(function* (business: Effect.Success<typeof newBusiness>) {
  const businesses = yield* BusinessRepository
  return Option.getOrThrow(yield* businesses.find(business))
})

const updatesOf = Effect.fnUntraced(function* (business: Effect.Success<typeof newBusiness>) {
  const sql = yield* SqlClient.SqlClient
  return yield* sql<{ readonly id: number }>`
    SELECT (body::jsonb #>> '{data,trip_id}')::int AS id FROM event_history
    WHERE business_id = ${business} AND body::jsonb ->> 'type' = 'trip.updated' ORDER BY 1`
})

const terms = { force: true, reason: null }

layer(Ports, { timeout: 60_000 })("an erasure", (it) => {
  it.effect("clears the texts of another customer's trip that mention the person, and changes it once", () =>
    Effect.gen(function* () {
      const trips = yield* TripRepository
      const business = yield* newBusiness
      const email = `${unique("ada")}@example.com`
      const text = `For ${email}`
      const { trip_id } = yield* newTrip(business, {
        customer_name: "Bea",
        external_ref: text,
        group_id: email,
        flight_number: text,
        terminal: text,
        po_number: text,
        cost_center: text,
        booker_name: text,
        passengers: [
          { name: text, email: null, phone: null },
          { name: "Cora", email: null, phone: null }
        ],
        child_seats: [
          { type: text, count: 1 },
          { type: "infant", count: 1 }
        ]
      })
      const { trip_id: grouped } = yield* newTrip(business, { customer_name: "Bea", group_id: email })
      const { trip_id: other } = yield* newTrip(business, { customer_name: "Bea", group_id: `jo${email}` })
      const erase = Effect.flatMap(Erasures, ({ contact }) =>
        Effect.flatMap(actingFor(business), (acting) => contact(acting, { email, phone: null, ...terms }))
      )
      assert.deepInclude(yield* Effect.provide(erase, boundedErasures), { trips: 2 })
      assert.deepStrictEqual(yield* updatesOf(business), [{ id: trip_id }, { id: grouped }])
      const erased = Option.getOrThrow(yield* trips.find(business, trip_id))
      assert.deepInclude(erased, {
        customer_name: "Bea",
        external_ref: null,
        group_id: null,
        flight_number: null,
        terminal: null,
        po_number: null,
        cost_center: null,
        booker_name: null,
        passengers: [
          { name: "Erased", email: null, phone: null },
          { name: "Cora", email: null, phone: null }
        ],
        child_seats: [
          { type: "Erased", count: 1 },
          { type: "infant", count: 1 }
        ]
      })
      assert.strictEqual(Option.getOrThrow(yield* trips.find(business, other)).group_id, `jo${email}`)
      assert.deepInclude(yield* Effect.provide(erase, boundedErasures), { trips: 0 })
      assert.lengthOf(yield* updatesOf(business), 2)
    })
  )

  it.effect(
    "by a phone number or of a customer erases the emails of the person's trips from issued invoices",
    () =>
      Effect.gen(function* () {
        const erasures = yield* Erasures
        const business = yield* newBusiness
        const acting = yield* actingFor(business)
        const addressOf = (name: string) => `${unique(name)}@example.com`
        const [work, home, bea] = [addressOf("work"), addressOf("home"), addressOf("bea")]
        const customer = yield* newCustomer(business, { name: "Ada", email: home })
        const trips = yield* Effect.forEach(
          [
            { customer_email: work, customer_phone: "+41 44 668 18 00" },
            { customer_email: work, customer_id: customer },
            { customer_email: bea }
          ],
          (fields) => newTrip(business, { customer_name: "Rider", ...fields })
        )
        const tripIds = trips.map(({ trip_id }) => trip_id)
        const invoice = yield* newSealedInvoice(business, null, tripIds)
        const ofCustomer = yield* newSealedInvoice(business, customer, [])
        const emails = Effect.map(contactsIn(business, invoice), ({ trips }) =>
          trips.map(([, email]) => email)
        )
        assert.deepStrictEqual(yield* emails, [work, work, bea])
        yield* erasures.contact(acting, { email: null, phone: "+41 44 668 18 00", ...terms })
        assert.deepStrictEqual(yield* emails, [null, work, bea])
        yield* erasures.customer(acting, customer, terms)
        assert.deepStrictEqual(yield* emails, [null, null, bea])
        assert.deepInclude((yield* contactsIn(business, ofCustomer)).buyer, { name: "Ada", email: null })
      }).pipe(Effect.provide(useCasesWith(() => ({}))))
  )

  it.effect("leaves a trip as it is that the search finds and that does not mention the person", () =>
    Effect.gen(function* () {
      const trips = yield* TripRepository
      const business = yield* newBusiness
      const email = `${unique("ada")}@example.com`
      const notes = `For jo${email}`
      const { trip_id } = yield* newTrip(business, { customer_name: "Bea", notes })
      const erase = Effect.flatMap(Erasures, ({ contact }) =>
        Effect.flatMap(actingFor(business), (acting) => contact(acting, { email, phone: null, ...terms }))
      )
      const searching = boundedErasuresFor((person) => ({ ...person, emails: [`jo${email}`] }))
      assert.deepInclude(yield* Effect.provide(erase, searching), { trips: 0 })
      assert.deepStrictEqual(yield* updatesOf(business), [])
      assert.strictEqual(Option.getOrThrow(yield* trips.find(business, trip_id)).notes, notes)
    })
  )

  it.effect("reaches the trips of quotes and bookings that become trips between its steps", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { businessId, customer, send } = yield* company(yield* openServer())
      const email = `${unique("ada")}@example.com`
      const { customer_id } = yield* customer({ name: "Ada", email })
      const trip = {
        trip_date: "2030-12-24T18:00:00Z",
        pickup_address: "Here",
        dropoff_address: "There",
        customer_name: "Ada",
        customer_email: email
      }
      const product = { name: "Ride", kind: "transfer", price: 1, pickup_address: "a", dropoff_address: "b" }
      const { product_id } = record(yield* send("POST", "/products", product))
      const quotes: Array<string> = []
      const bookings: Array<string> = []
      for (let number = 0; number < 3; number++) {
        const items = [{ description: "Ride", amount: 1, trip }]
        const { quote_id } = record(yield* send("POST", "/quotes", { customer_id, items }))
        quotes.push(String(quote_id))
        const booking = { product_id, customer_id, starts_at: "2030-12-24T18:00:00Z" }
        const { booking_id } = record(yield* send("POST", "/bookings", booking))
        bookings.push(String(booking_id))
      }
      // Requests of another node. Those that come after the erasure of the quote are refused, because it has no trip left.
      const more = Effect.suspend(() =>
        Effect.andThen(
          send("POST", `/quotes/${quotes.pop() ?? ""}/convert`, {}),
          send("POST", `/bookings/${bookings.pop() ?? ""}/confirm`, { email: false })
        )
      )
      const erase = Effect.flatMap(Erasures, (erasures) =>
        Effect.flatMap(actingFor(BusinessId.make(businessId)), (acting) =>
          erasures.customer(acting, CustomerId.make(Number(customer_id)), terms)
        )
      )
      yield* Effect.provide(erase, erasuresAfter(more))
      const left = sql`
        SELECT trip_id, customer_name, customer_email FROM trips
        WHERE business_id = ${businessId} AND (customer_name <> 'Erased' OR customer_email IS NOT NULL)`
      assert.deepStrictEqual(yield* left, [])
      const booked = sql`SELECT FROM trips WHERE business_id = ${businessId}`
      assert.isAtLeast((yield* booked).length, 3)
    })
  )

  it.effect("keeps another customer of the same name", () =>
    Effect.gen(function* () {
      const trips = yield* TripRepository
      const business = yield* newBusiness
      const email = `${unique("ada")}@example.com`
      const customer = yield* newCustomer(business, { name: "Ada", email })
      const { trip_id } = yield* newTrip(business, {
        customer_name: "Ada",
        pickup_address: "Hotel Ada",
        passengers: [{ name: "Ada", email, phone: null }],
        stops: [{ address: "Ada's", lat: null, lng: null, minutes: null, contact: "Ada" }]
      })
      const erase = Effect.flatMap(Erasures, ({ customer: erase }) =>
        Effect.flatMap(actingFor(business), (acting) => erase(acting, customer, terms))
      )
      assert.deepInclude(yield* Effect.provide(erase, boundedErasures), { trips: 1, customers: 1 })
      assert.deepInclude(Option.getOrThrow(yield* trips.find(business, trip_id)), {
        customer_name: "Ada",
        pickup_address: "Hotel Ada",
        passengers: [],
        stops: [{ address: "Ada's", lat: null, lng: null, minutes: null, contact: "Ada" }]
      })
    })
  )
})

layer(Ports)("POST /admin/users/{id}/erase", (it) => {
  it.effect("refuses a super-admin's own account, and erases another's", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const [root, other] = [yield* superAdmin(server), yield* superAdmin(server)]
      const erase = (userId: number) =>
        server.send("POST", `/admin/users/${userId}/erase`, { credential: root.token, body: { force: true } })
      refusedAs(yield* erase(root.userId), 409, "conflict")
      const sql = yield* SqlClient.SqlClient
      // The only owner of a business is refused too.
      yield* sql`DELETE FROM business_members WHERE user_id IN (${root.userId}, ${other.userId})`
      refusedAs(yield* erase(root.userId), 409, "conflict")
      assert.deepInclude(record(yield* erase(other.userId)), { users: 1 })
    })
  )
})
