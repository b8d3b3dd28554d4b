import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { wrong } from "../support/Fleet.ts"
import { messagesTo } from "../support/People.ts"
import { booking as tripBody, tariff } from "../support/Tenant.ts"
import { Ports } from "../support/TestPorts.ts"
import { record, records, refusedAs } from "../support/TestServer.ts"
import { places } from "./BookingPage.ts"
import { seller, whileBusinessIsLocked } from "./EmailSeller.ts"
import { ride } from "./QuoteSeller.ts"

/** The lines of a calendar file, unfolded. */
const linesOf = (bytes: Uint8Array | undefined) =>
  new TextDecoder().decode(bytes).replaceAll("\r\n ", "").split("\r\n")

layer(Ports, { timeout: 60_000 })("an email to a customer", (it) => {
  it.effect("is sent with a quote and with its acceptance, for one credit each", () =>
    Effect.gen(function* () {
      const { creditsLeft, mails, quote, send, server } = yield* seller(3)
      const { quote_id, reference } = yield* quote
      const sent = record(yield* send("POST", `/quotes/${String(quote_id)}/send`))
      assert.strictEqual(yield* creditsLeft, 2)
      const [offer, ...others] = yield* mails
      assert.isEmpty(others)
      assert.include(offer?.subject, String(reference))
      assert.include(offer?.text, "90.00 USD")
      assert.include(offer?.text, String(sent["public_url"]))
      assert.include(offer?.html, `<a href="${String(sent["public_url"])}">`)
      assert.include(offer?.html, "Ada &lt;b&gt;")
      record(
        yield* server.send("POST", `/public/quotes/${String(sent["token"])}/accept`, {
          body: { name: "Ada" }
        })
      )
      assert.strictEqual(yield* creditsLeft, 1)
      const [accepted] = yield* mails
      assert.include(accepted?.subject, "accepted")

      // The link alone.
      const other = yield* quote
      record(yield* send("POST", `/quotes/${String(other["quote_id"])}/send`, { email: false }))
      record(yield* send("POST", `/quotes/${String(other["quote_id"])}/accept`, { email: false }))
      assert.deepStrictEqual([yield* creditsLeft, yield* mails], [1, []])
    })
  )

  it.effect("speaks the customer's language where it has one, whatever the business's locale", () =>
    Effect.gen(function* () {
      const { email, mails, send } = yield* seller(2)
      record(yield* send("PATCH", "/settings/business", { locale: "de" }))
      const french = record(yield* send("POST", "/customers", { name: "Ada", email, language: "fr-CA" }))
      const raise = (body: object) =>
        Effect.map(send("POST", "/quotes", { customer_email: email, items: [ride], ...body }), record)
      for (const body of [{ customer_id: french["customer_id"] }, { customer_name: "Ada" }]) {
        const { quote_id } = yield* raise(body)
        record(yield* send("POST", `/quotes/${String(quote_id)}/send`))
      }
      const subjects = (yield* mails).map(({ subject }) => subject.split(" ")[0])
      assert.deepStrictEqual(subjects, ["Devis", "Angebot"])
    })
  )

  it.effect("confirms a booking with a calendar file, and announces its cancellation", () =>
    Effect.gen(function* () {
      const { booking, creditsLeft, mails, send } = yield* seller(2)
      const { booking_id, reference } = yield* booking
      record(yield* send("POST", `/bookings/${String(booking_id)}/confirm`))
      const [confirmed] = yield* mails
      assert.include(confirmed?.text, "Excursion")
      assert.include(confirmed?.text, "2026-12-24 18:00")
      const [file] = confirmed?.attachments ?? []
      assert.strictEqual(file?.file_name, `${String(reference)}.ics`)
      const lines = linesOf(file?.content)
      for (const line of ["DTSTART:20261224T180000Z", "DTEND:20261224T210000Z", "LOCATION:Here"])
        assert.include(lines, line)
      assert.include(lines, "METHOD:REQUEST")
      yield* TestClock.adjust("1 minute")
      record(yield* send("POST", `/bookings/${String(booking_id)}/cancel`))
      const [cancelled] = yield* mails
      assert.include(cancelled?.subject, "cancelled")
      const later = linesOf(cancelled?.attachments?.[0]?.content)
      const valueIn = (of: ReadonlyArray<string>, name: string) =>
        of.find((line) => line.startsWith(`${name}:`))?.slice(name.length + 1)
      assert.strictEqual(valueIn(later, "UID"), valueIn(lines, "UID"))
      assert.isAbove(Number(valueIn(later, "SEQUENCE")), Number(valueIn(lines, "SEQUENCE")))
      for (const line of ["METHOD:CANCEL", "STATUS:CANCELLED"]) assert.include(later, line)
      assert.strictEqual(yield* creditsLeft, 0)
    })
  )

  it.effect("about a trip has the time on the clock of its pickup, and names the zone", () =>
    Effect.gen(function* () {
      const { customer, mails, send } = yield* seller(1)
      const there = { trip_date: "2026-12-24T23:30:00Z", pickup_timezone: "Asia/Tokyo" }
      const sql = yield* SqlClient.SqlClient
      const { trip_id } = record(yield* send("POST", "/trips", { ...tripBody, ...customer, ...there }))
      yield* sql`UPDATE trips SET status = 'pending' WHERE trip_id = ${Number(trip_id)}`
      record(yield* send("PATCH", `/trips/${String(trip_id)}`, { status: "confirmed" }))
      const [confirmed] = yield* mails
      assert.include(confirmed?.text, "2026-12-25 08:30 (Asia/Tokyo)")
    })
  )

  it.effect("is refused without a credit, and its step is not taken", () =>
    Effect.gen(function* () {
      const { booking, businessId, creditsLeft, mails, quote, send } = yield* seller(0)
      const sql = yield* SqlClient.SqlClient
      const { quote_id } = yield* quote
      const { booking_id } = yield* booking
      const [quotePath, bookingPath] = [`/quotes/${String(quote_id)}`, `/bookings/${String(booking_id)}`]
      for (const path of [
        `${quotePath}/send`,
        `${quotePath}/accept`,
        `${bookingPath}/confirm`,
        `${bookingPath}/cancel`
      ])
        refusedAs(yield* send("POST", path), 403, "usage_limit_reached")
      assert.deepInclude(record(yield* send("GET", quotePath)), { status: "draft", sent_at: null })
      assert.deepInclude(record(yield* send("GET", bookingPath)), { status: "pending", trip_id: null })
      assert.isEmpty(yield* sql`SELECT FROM events WHERE business_id = ${businessId}`)
      assert.deepStrictEqual([yield* creditsLeft, yield* mails], [0, []])
      record(yield* send("POST", `${quotePath}/send`, { email: false }))
      record(yield* send("POST", `${bookingPath}/confirm`, { email: false }))
      // The errors of the step come first.
      assert.deepStrictEqual(
        refusedAs(yield* send("POST", `${bookingPath}/confirm`), 422, "invalid_request"),
        [{ field: "status", issue: "illegal_transition" }]
      )
    })
  )

  it.effect("is sent once for each credit by concurrent steps, and the balance ends at zero", () =>
    Effect.gen(function* () {
      const { booking, creditsLeft, mails, send } = yield* seller(3)
      const made = yield* Effect.forEach(Array.from({ length: 12 }), () => booking)
      const answers = yield* Effect.forEach(
        made,
        ({ booking_id }) => send("POST", `/bookings/${String(booking_id)}/confirm`),
        { concurrency: "unbounded" }
      )
      const confirmed = answers.filter(({ status }) => status === 200)
      assert.lengthOf(confirmed, 3)
      for (const answer of answers.filter(({ status }) => status !== 200))
        refusedAs(answer, 403, "usage_limit_reached")
      assert.strictEqual(yield* creditsLeft, 0)
      assert.lengthOf(yield* mails, 3)
      assert.lengthOf(records(yield* send("GET", "/trips")), 3)
      assert.lengthOf(records(yield* send("GET", "/bookings?status=pending")), 9)
    })
  )

  it.effect("is not sent if a customer acts and the business has no credit; the step is taken", () =>
    Effect.gen(function* () {
      const { creditsLeft, customer, mails, quote, send, server } = yield* seller(0)
      const { quote_id } = yield* quote
      const path = `/quotes/${String(quote_id)}`
      const { token } = record(yield* send("POST", `${path}/send`, { email: false }))
      const accept = { body: { name: "Ada" } }
      record(yield* server.send("POST", `/public/quotes/${String(token)}/accept`, accept))
      assert.deepInclude(record(yield* send("GET", path)), { status: "accepted" })
      const [product] = records(yield* send("GET", "/products"))
      const { vendor_slug } = record(yield* send("GET", "/settings/business"))
      const page = `/public/businesses/${String(vendor_slug)}/bookings`
      const body = { ...customer, product_id: product?.["product_id"], starts_at: "2026-12-24T18:00:00Z" }
      assert.deepInclude(record(yield* server.send("POST", page, { body })), { status: "confirmed" })
      assert.deepStrictEqual([yield* creditsLeft, yield* mails], [0, []])
    })
  )

  it.effect("confirms what is booked on the booking page, at most five times an hour", () =>
    Effect.gen(function* () {
      const { creditsLeft, customer, mails, send, server } = yield* seller(10)
      const [product] = records(yield* send("GET", "/products"))
      const { vendor_slug } = record(yield* send("GET", "/settings/business"))
      const page = `/public/businesses/${String(vendor_slug)}/bookings`
      const body = { ...customer, product_id: product?.["product_id"], starts_at: "2026-12-24T18:00:00Z" }
      for (let time = 0; time < 7; time++) record(yield* server.send("POST", page, { body }))
      assert.lengthOf(yield* mails, 5)
      assert.strictEqual(yield* creditsLeft, 5)
    })
  )

  it.effect("carries no link and no line of a visitor of the booking page, whose texts nobody has read", () =>
    Effect.gen(function* () {
      const { email, mails, send, server } = yield* seller(10)
      record(yield* send("POST", "/tariffs", tariff))
      const [product] = records(yield* send("GET", "/products"))
      const { vendor_slug } = record(yield* send("GET", "/settings/business"))
      const page = `/public/businesses/${String(vendor_slug)}`
      const starts_at = "2026-12-24T18:00:00Z"
      const estimate = { trip_date: starts_at, ...places }
      const { fares } = record(yield* server.send("POST", `${page}/estimate`, { body: estimate }))
      const [fare] = fares as ReadonlyArray<Record<string, unknown>>
      const lure = "You have won.\r\n\r\nClaim it at https://evil.example/prize"
      const visitor = {
        customer_name: lure,
        customer_email: email,
        pickup_address: lure,
        dropoff_address: "www.evil.example"
      }
      const requests = [
        ["trips", { price_token: fare?.["price_token"] }],
        ["bookings", { product_id: product?.["product_id"], starts_at }]
      ] as const
      for (const [what, body] of requests) {
        const { reference } = record(
          yield* server.send("POST", `${page}/${what}`, { body: { ...visitor, ...body } })
        )
        const [mail, ...others] = yield* mails
        assert.isEmpty(others)
        const lines = linesOf(mail?.attachments?.[0]?.content)
        assert.include(mail?.subject, String(reference))
        for (const text of [mail?.subject, mail?.text, mail?.html, lines.join("\n")])
          assert.notMatch(String(text), /evil|You have won/u)
        assert.include(mail?.text, "Dear customer,")
        assert.notMatch(lines.join("\n"), /LOCATION/u)
      }
      const plain = { customer_email: email, product_id: product?.["product_id"], starts_at }
      record(
        yield* server.send("POST", `${page}/bookings`, {
          body: { ...plain, customer_name: "Ada\r\n\r\nLovelace" }
        })
      )
      const [named] = yield* mails
      assert.include(named?.text, "Dear Ada Lovelace,")
    })
  )

  it.effect("announces that a pending booking of the booking page is cancelled, for one credit", () =>
    Effect.gen(function* () {
      const { businessId, creditsLeft, customer, mails, send, server } = yield* seller(1)
      const sql = yield* SqlClient.SqlClient
      const [product] = records(yield* send("GET", "/products"))
      const { vendor_slug } = record(
        yield* send("PATCH", "/settings/business", { booking_confirmation_required: true })
      )
      const page = `/public/businesses/${String(vendor_slug)}/bookings`
      const body = { ...customer, product_id: product?.["product_id"], starts_at: "2026-12-24T18:00:00Z" }
      const booked = Effect.gen(function* () {
        const { reference } = record(yield* server.send("POST", page, { body }))
        const [made] = records(yield* send("GET", `/bookings?reference=${String(reference)}`))
        assert.deepInclude(made, { status: "pending" })
        return { path: `/bookings/${String(made?.["booking_id"])}`, reference: String(reference) }
      })
      const [first, second] = [yield* booked, yield* booked]
      assert.isEmpty(yield* mails)
      record(yield* send("POST", `${first.path}/cancel`))
      const [mail, ...others] = yield* mails
      assert.isEmpty(others)
      assert.include(mail?.subject, `${first.reference} is cancelled`)
      assert.strictEqual(yield* creditsLeft, 0)
      refusedAs(yield* send("POST", `${second.path}/cancel`), 403, "usage_limit_reached")
      assert.deepInclude(record(yield* send("GET", second.path)), { status: "pending" })
      record(yield* send("POST", `${second.path}/cancel`, { email: false }))
      assert.deepStrictEqual([yield* creditsLeft, yield* mails], [0, []])
      assert.isEmpty(yield* sql`SELECT FROM events WHERE business_id = ${businessId}`)
    })
  )

  it.effect("has the business's own subject and text", () =>
    Effect.gen(function* () {
      const { mails, quote, send } = yield* seller(1)
      const wording = (email_wording: object) => send("PATCH", "/settings/business", { email_wording })
      assert.deepStrictEqual(
        refusedAs(
          yield* wording({ quote_sent: { subject: "{{nobody}}", text: "" } }),
          422,
          "invalid_request"
        ),
        wrong({
          "email_wording.quote_sent.subject": "unknown_value",
          "email_wording.quote_sent.text": "required"
        })
      )
      record(yield* wording({ quote_sent: { subject: "Grüezi {{customer_name}}", text: "Für {{total}}" } }))
      const { quote_id } = yield* quote
      const { public_url } = record(yield* send("POST", `/quotes/${String(quote_id)}/send`))
      const [message] = yield* mails
      assert.strictEqual(message?.subject, "Grüezi Ada <b>")
      assert.strictEqual(message?.text, `Für 90.00 USD\n\n${String(public_url)}\n`)
    })
  )

  it.effect("goes to the address that the record has when the step is taken", () =>
    Effect.gen(function* () {
      const { booking, businessId, email, quote, send } = yield* seller(10)
      const sql = yield* SqlClient.SqlClient
      const { quote_id } = yield* quote
      const { booking_id } = yield* booking
      const [quotePath, bookingPath] = [`/quotes/${String(quote_id)}`, `/bookings/${String(booking_id)}`]
      for (const [path, step] of [
        [quotePath, "send"],
        [quotePath, "accept"],
        [bookingPath, "confirm"],
        [bookingPath, "cancel"]
      ] as const) {
        const to = `${step}.${email}`
        const answer = yield* whileBusinessIsLocked(
          businessId,
          send("POST", `${path}/${step}`),
          sql`UPDATE ${sql(path === quotePath ? "quotes" : "bookings")} SET customer_email = ${to}
            WHERE business_id = ${businessId}`
        )
        record(answer)
        assert.lengthOf(yield* messagesTo(to), 1, `${path} ${step}`)
      }
    })
  )

  it.effect("of a customer's step locks the count of the address only after the business", () =>
    Effect.gen(function* () {
      const { businessId, customer, send, server } = yield* seller(10)
      const sql = yield* SqlClient.SqlClient
      const [product] = records(yield* send("GET", "/products"))
      const { vendor_slug } = record(yield* send("GET", "/settings/business"))
      const page = `/public/businesses/${String(vendor_slug)}/bookings`
      const body = { ...customer, product_id: product?.["product_id"], starts_at: "2026-12-24T18:00:00Z" }
      const book = server.send("POST", page, { body })
      record(yield* book)
      // Fails if another transaction has locked a count.
      const free = sql`SELECT FROM mail_counts FOR UPDATE NOWAIT`
      record(yield* whileBusinessIsLocked(businessId, book, free))
    })
  )
})
