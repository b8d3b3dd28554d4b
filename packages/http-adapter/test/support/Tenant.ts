/** A business with records of every kind, and a checksum of the whole database. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { expireCredentials } from "./TestPorts.ts"
import { assign, business, login, makeDriver, member, operator, setCredits } from "./People.ts"
import { record, records, type TestServer } from "./TestServer.ts"

const idIn = (fields: Readonly<Record<string, unknown>>, name: string) => Number(fields[name])

/** The required fields of a trip. */
export const booking = {
  trip_date: "2026-12-24T18:00:00Z",
  pickup_address: "Here",
  dropoff_address: "There",
  customer_name: "Ada"
}

/** A tariff of one class, by distance. */
export const tariff = {
  name: "Prices",
  currency: "USD",
  classes: [{ vehicle_class: "sedan", distance: [{ base: 20, tiers: [{ amount: 2.5 }] }] }]
}

/** A gateway for text messages. */
export const textGateway = {
  url: "https://gateway.example.com/messages",
  method: "POST",
  headers: [{ name: "authorization", value: "Bearer {{token}}" }],
  body: '{"to":"{{to}}","text":"{{text}}"}',
  body_type: "json",
  sender: "Livery",
  token: "secret",
  success: { path: "id", values: [] },
  reference_path: "id",
  callbacks: {
    reference_path: "id",
    status_path: "status",
    delivered: ["delivered"],
    failed: ["failed"],
    from_path: "from",
    text_path: "text"
  }
}

/** A ride to be priced. */
export const ride = { trip_date: booking.trip_date, distance_m: 10_000, duration_minutes: 20 }

/** A product whose bookings become trips. */
export const excursion = {
  name: "Excursion",
  kind: "tour",
  price: 45,
  capacity: 8,
  duration_minutes: 180,
  pickup_address: "Here",
  dropoff_address: "There"
}

/** A business with a trip under way, an upcoming one, and a row in every table of businesses. */
export const tenant = Effect.fnUntraced(function* (server: TestServer) {
  const sql = yield* SqlClient.SqlClient
  const { businessId, key, token, userId } = yield* business(server)
  yield* sql`UPDATE businesses SET subscription_plan_id = 3 WHERE business_id = ${businessId}`
  yield* setCredits(businessId, 1000)
  const send = (method: string, path: string, body?: unknown) =>
    Effect.map(
      server.send(method, path, { credential: key, ...(body === undefined ? {} : { body }) }),
      record
    )
  const endpoint = idIn(
    yield* send("POST", "/webhooks", {
      url: "https://receiver.example.com/hook",
      events: ["trip.created", "trip.updated", "driver.assigned"]
    }),
    "endpoint_id"
  )
  const car = idIn(yield* send("POST", "/cars", { name: "Black" }), "car_id")
  const hire = (name: string) =>
    Effect.map(
      send("POST", "/drivers", { name, email: `${name}${businessId}@example.com`, default_car_id: car }),
      (driver) => idIn(driver, "driver_id")
    )
  const driver = yield* hire("grace")
  const spare = yield* hire("joan")
  const customer = idIn(
    yield* send("POST", "/customers", { name: "Ada", email: `ada${businessId}@example.com` }),
    "customer_id"
  )
  const away = yield* send("POST", `/drivers/${spare}/absences`, {
    starts_at: "2027-01-01T00:00:00Z",
    ends_at: "2027-01-02T00:00:00Z"
  })
  const [absence] = away["absences"] as readonly [Readonly<Record<string, unknown>>]
  const prices = idIn(yield* send("POST", "/tariffs", tariff), "tariff_id")
  const quote = idIn(
    yield* send("POST", "/quotes", {
      customer_id: customer,
      items: [{ description: "Ride", trip: booking, amount: 90 }]
    }),
    "quote_id"
  )
  yield* send("POST", `/quotes/${quote}/send`)
  yield* send("POST", `/quotes/${quote}/convert`)
  const offer = yield* send("POST", "/quotes", {
    customer_id: customer,
    items: [{ description: "Ride", trip: booking, amount: 90 }]
  })
  yield* send("POST", `/quotes/${idIn(offer, "quote_id")}/send`)
  const product = idIn(yield* send("POST", "/products", excursion), "product_id")
  const reserve = Effect.map(
    send("POST", "/bookings", {
      product_id: product,
      customer_id: customer,
      starts_at: booking.trip_date
    }),
    (reserved) => idIn(reserved, "booking_id")
  )
  yield* send("POST", `/bookings/${yield* reserve}/confirm`)
  const reserved = yield* reserve
  const { vendor_slug } = yield* send("GET", "/settings/business")
  const estimate = yield* server.send("POST", `/public/businesses/${String(vendor_slug)}/estimate`, {
    body: ride
  })
  const price_token = /"price_token":"([^"]+)"/u.exec(estimate.text)?.[1] ?? "none"
  const bookWith = (more: object = {}) =>
    Effect.map(send("POST", "/trips", { ...booking, car_id: car, customer_id: customer, ...more }), (trip) =>
      idIn(trip, "trip_id")
    )
  const underWay = yield* bookWith({ distance_m: 10_000 })
  const trip = yield* bookWith({ group_id: "Fair" })
  yield* send("POST", `/trips/${underWay}/fare`, { vehicle_class: "sedan" })
  yield* send("PATCH", `/drivers/${spare}/pay`, {
    schemes: [{ valid_from: "2026-01-01", name: "Usual", currency: "USD", flat: 20 }]
  })
  const assigned = yield* send("POST", `/trips/${underWay}/drivers`, { driver_ids: [driver] })
  const [{ driver_token }] = assigned["drivers"] as readonly [{ readonly driver_token: string }]
  yield* send("PATCH", `/trips/${underWay}/driver-status`, {
    status: "en_route",
    milestone: "arrived_at_pickup"
  })
  yield* send("POST", `/trips/${trip}/drivers`, { driver_ids: [driver] })
  record(
    yield* server.send("POST", `/driver/location?token=${driver_token}`, { body: { lat: 47.4, lng: 8.5 } })
  )
  yield* send("POST", `/trips/${underWay}/tracking-link`)
  yield* send("PATCH", "/settings/notices", { channels: { booked: ["mail"] } })
  yield* send("PATCH", `/customers/${customer}/notice-preferences`, { kinds: ["cancelled"], channels: null })
  yield* send("POST", `/drivers/${spare}/messages`, { text: "Call us" })
  yield* send("POST", `/drivers/${spare}/calendar-link`)
  yield* sql`
    INSERT INTO flight_checks (business_id, trip_id, flight) VALUES (${businessId}, ${underWay}, 'LX 8')`
  yield* send("PATCH", "/settings/flights", { enabled: true })
  yield* send("POST", `/customers/${customer}/calendar-link`)
  yield* send("POST", `/drivers/${spare}/invite`)
  const [delivery] = records(
    yield* server.send("GET", `/webhooks/${endpoint}/deliveries`, { credential: key })
  )

  const account = yield* member(server)
  yield* makeDriver(account.userId)
  yield* sql`UPDATE drivers SET user_id = ${account.userId} WHERE driver_id = ${driver}`
  yield* sql`
    INSERT INTO driver_accounts (user_id, business_id)
    SELECT user_id, business_id FROM drivers WHERE driver_id = ${driver}`
  yield* sql`
    INSERT INTO driver_seats (business_id, driver_id, price_minor, currency, started_at)
    VALUES (${businessId}, ${spare}, 1000, 'USD', now())`
  yield* sql`UPDATE businesses SET subscription_item_id = 'si_1' WHERE business_id = ${businessId}`
  yield* sql`
    INSERT INTO seat_subscriptions (business_id, quantity, attempt, lease, due_at)
    VALUES (${businessId}, 1, 1, 1, now())`
  const invoice = idIn(
    yield* send("POST", "/invoices", {
      customer_id: customer,
      items: [{ description: "Transfer", unit_price: 100 }],
      trip_ids: [trip]
    }),
    "invoice_id"
  )
  const openInvoice = idIn(
    yield* send("POST", "/invoices", { items: [{ description: "Transfer", unit_price: 100 }] }),
    "invoice_id"
  )
  const pay = (amount: number) => send("POST", `/invoices/${invoice}/payments`, { amount, method: "cash" })
  const payment = idIn(yield* pay(20), "payment_id")
  yield* sql`
    INSERT INTO card_intents (business_id, intent_id, invoice_id, amount_minor, created_at)
    VALUES (${businessId}, 'pi_1', ${invoice}, 8000, now())`
  yield* send("POST", `/invoices/${invoice}/payments/${idIn(yield* pay(10), "payment_id")}/refund`, {})
  const creditedInvoice = idIn(
    yield* send("POST", "/invoices", { items: [{ description: "Transfer", unit_price: 100 }] }),
    "invoice_id"
  )
  yield* send("POST", `/invoices/${creditedInvoice}/payments`, { amount: 100, method: "cash" })
  const creditNote = idIn(
    yield* send("POST", `/invoices/${creditedInvoice}/credit-notes`, {
      items: [{ description: "Transfer", unit_price: 1 }]
    }),
    "credit_note_id"
  )
  const remitted = idIn(
    yield* send("POST", "/invoices", { items: [{ description: "Transfer", unit_price: 100 }] }),
    "invoice_id"
  )
  const remittance = idIn(
    yield* send("POST", "/payments", { amount: 10, allocations: [{ invoice_id: remitted, amount: 10 }] }),
    "remittance_id"
  )
  const [moved] = yield* sql<{ readonly import_id: number }>`
    WITH made AS (
      INSERT INTO imports (business_id, kind, dry_run, columns, day_first, lines, refused, created_at, finished_at)
      VALUES (${businessId}, 'customers', false, '[]', true, 1, 1, now(), now()) RETURNING import_id
    ), line AS (
      INSERT INTO import_lines (business_id, import_id, line, cells, status, reasons)
      SELECT ${businessId}, import_id, 2, '[]', 'refused', '[]' FROM made
    )
    SELECT import_id FROM made`
  const [statement] = yield* sql<{ readonly statement_id: number; readonly entry_id: number }>`
    WITH statement AS (
      INSERT INTO bank_statements (business_id, format, digest, read_count, created_at)
      VALUES (${businessId}, 'csv', 'digest', 2, now()) RETURNING statement_id
    ), entry AS (
      INSERT INTO bank_entries (business_id, statement_id, status, direction, booked_on, amount_minor, currency, fingerprint,
        remittance_id, created_at)
      SELECT ${businessId}, s.statement_id, e.status, 'credit', '2026-11-05', 1000, 'USD', e.status, e.remittance_id, now()
      FROM statement s, (VALUES ('confirmed', ${remittance}::bigint), ('open', NULL)) AS e (status, remittance_id)
      RETURNING statement_id, entry_id, status
    )
    SELECT statement_id, entry_id FROM entry WHERE status = 'open'`
  const run = idIn(yield* send("POST", "/invoices/monthly", { month: "2026-12" }), "run_id")
  yield* sql`UPDATE monthly_run_items SET invoice_id = ${remitted} WHERE business_id = ${businessId}`
  yield* sql`
    INSERT INTO invoice_reminders (business_id, invoice_id, due_date, days, sent_at)
    VALUES (${businessId}, ${invoice}, '2026-12-01', 3, now())`
  const viewer = yield* operator(server)
  yield* assign(businessId, viewer.userId, "viewer")
  yield* server.send("POST", "/business/members", {
    credential: token,
    body: { email: `invited${businessId}@example.com`, role: "viewer" }
  })
  const saved = record(
    yield* server.send("POST", "/me/views", {
      credential: token,
      body: { name: "Tomorrow", screen: "trips", query: "status=confirmed" }
    })
  )
  const template = idIn(
    yield* send("POST", "/trip-templates", { name: "Airport", trip: { pickup_address: "Airport" } }),
    "template_id"
  )
  yield* expireCredentials
  const driverSession = String(record(yield* login(server, account))["access_token"])
  return {
    businessId,
    key,
    token,
    userId,
    driverSession,
    ids: {
      car,
      driver,
      customer,
      trip,
      invoice,
      openInvoice,
      payment,
      creditedInvoice,
      remittance,
      statement: statement?.statement_id ?? 0,
      moved: moved?.import_id ?? 0,
      entry: statement?.entry_id ?? 0,
      run,
      creditNote,
      endpoint,
      delivery: Number(delivery?.["delivery_id"]),
      tariff: prices,
      absence: idIn(absence, "absence_id"),
      quote: idIn(offer, "quote_id"),
      product,
      booking: reserved,
      slug: String(vendor_slug),
      priceToken: price_token,
      spare,
      underWay,
      member: viewer.userId,
      view: idIn(saved, "view_id"),
      template,
      version: 1
    }
  }
})

/** The tables that count requests, which belong to no business. */
const counters = new Set(["rate_counters"])

/** A checksum of every row of every table, except the counters of requests and the times of keys' last use. */
export const everything = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const tables = yield* sql<{ name: string }>`
    SELECT table_name AS name FROM information_schema.tables
    WHERE table_schema = 'public' AND table_type = 'BASE TABLE' ORDER BY table_name`
  const sums: Record<string, string> = {}
  for (const { name } of tables.filter(({ name }) => !counters.has(name))) {
    const [row] = yield* sql<{ sum: string }>`
      SELECT count(*) || ' ' || coalesce(md5(string_agg(line, '|' ORDER BY line)), '') AS sum
      FROM (SELECT (to_jsonb(t) - 'last_used_at')::text AS line FROM ${sql(name)} t) rows`
    sums[name] = row?.sum ?? ""
  }
  return sums
})
