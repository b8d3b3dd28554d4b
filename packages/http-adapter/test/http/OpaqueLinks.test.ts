import { assert, layer } from "@effect/vitest"
import { SecretBox } from "@livery/domain"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { createHash } from "node:crypto"
import { setCredits } from "../support/People.ts"
import { company } from "../support/Fleet.ts"
import { Ports } from "../support/TestPorts.ts"
import { type Answer, openServer, record } from "../support/TestServer.ts"
import { booking, excursion } from "../support/Tenant.ts"
import { samples } from "../../../integrations/test/files/Samples.ts"
import { formOf, submit, useOwnTemporaryDirectory } from "../uploads/Submission.ts"

useOwnTemporaryDirectory()

/** A number that no random text has by chance. */
const businessNumber = 987_654_321

/** A business with that number, and its links and codes of every kind. */
const linked = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`SELECT setval(pg_get_serial_sequence('businesses', 'business_id'), ${businessNumber - 1})`
  const server = yield* openServer()
  const { driver, key, businessId, send, token, trip } = yield* company(server)
  assert.strictEqual(businessId, businessNumber)
  yield* setCredits(businessId, 100)
  yield* sql`DELETE FROM mail_outbox`
  const ask = (path: string, body: object = {}) => Effect.map(send("POST", path, body), record)

  const { quote_id } = yield* ask("/quotes", {
    customer_name: "Ada",
    customer_email: "ada@example.com",
    items: [{ description: "Ride", trip: booking, amount: 90 }]
  })
  const quote = yield* ask(`/quotes/${String(quote_id)}/send`)
  const invoice = yield* ask("/invoices", { items: [{ description: "Ride", unit_price: 90 }] })
  const { trip_id } = yield* trip()
  const { driver_id } = yield* driver({ email: "dan@example.com" })
  const assigned = yield* ask(`/trips/${String(trip_id)}/drivers`, { driver_ids: [driver_id] })
  const [{ driver_token }] = assigned["drivers"] as readonly [{ readonly driver_token: string }]
  const tracking = yield* ask(`/trips/${String(trip_id)}/tracking-link`)
  const file = record(yield* submit(server, key, formOf(["file", samples.png])))
  yield* ask(`/drivers/${String(driver_id)}/invite`)
  record(
    yield* server.send("POST", "/business/members", {
      credential: token,
      body: { email: "bea@example.com", role: "viewer" }
    })
  )
  const { product_id } = yield* ask("/products", excursion)
  const { booking_id } = yield* ask("/bookings", {
    product_id,
    starts_at: booking.trip_date,
    customer_name: "Ada",
    customer_email: "ada@example.com"
  })
  yield* ask(`/bookings/${String(booking_id)}/confirm`)

  const box = yield* SecretBox
  const sealed = yield* sql<{ readonly sealed_message: string }>`SELECT sealed_message FROM mail_outbox`
  const mails = yield* Effect.forEach(sealed, ({ sealed_message }) =>
    Effect.map(box.open(sealed_message), (message) =>
      message.replaceAll(/"content":"([^"]*)"/gu, (_, content) =>
        Buffer.from(String(content), "base64").toString()
      )
    )
  )
  return { server, mails, quote, invoice, tracking, driver_token, file }
})

/** The ways to write the number: decimal, hexadecimal, base 32 of Crockford, and base 64 of its digits and its bytes. */
const spellings = [
  String(businessNumber),
  businessNumber.toString(16),
  "XDWT5H",
  Buffer.from(String(businessNumber)).toString("base64url").slice(0, 10),
  Buffer.from([0x3a, 0xde, 0x68, 0xb1]).toString("base64url").slice(0, 5)
]

layer(Ports, { timeout: 120_000 })("a link of a business", (it) => {
  it.effect("shows no number of the business, whichever kind it is, and leads to its record", () =>
    Effect.gen(function* () {
      const { driver_token, file, invoice, mails, quote, server, tracking } = yield* linked
      const links = {
        quote: String(quote["public_url"]),
        invoice: String(invoice["payment_hash"]),
        tracking: String(tracking["url"]),
        driver: driver_token,
        upload: String(file["url"])
      }
      // A quote, two invitations, and a booking with its calendar.
      assert.lengthOf(mails, 4)
      for (const [kind, text] of [...Object.entries(links), ...mails.map((mail) => ["mail", mail] as const)])
        for (const spelling of spellings) {
          // A message is stored with its business; recipients do not get that field.
          const read = text.replace(`"business_id":${businessNumber}`, "")
          assert.notInclude(read.toLowerCase(), spelling.toLowerCase(), `${kind}: ${read}`)
        }
      const calendar = /UID:(?<uid>[0-9a-f]{32})@livery/u.exec(mails.join("\n"))?.groups?.["uid"]
      assert.isString(calendar)
      const reference = /BK-[0-9A-Z]{7}/u.exec(mails.join(""))?.[0]
      const guessed = createHash("sha256")
        .update(`${businessNumber} ${String(reference)}`)
        .digest("hex")
      assert.notStrictEqual(calendar, guessed.slice(0, 32))

      const opens = (answer: Answer) => assert.strictEqual(answer.status, 200, answer.text)
      opens(yield* server.send("GET", `/public/quotes/${String(quote["token"])}`))
      opens(yield* server.send("GET", `/public/invoices/${links.invoice}`))
      opens(yield* server.send("GET", `/public/tracking/${String(tracking["token"])}`))
      opens(yield* server.send("GET", `/driver/trip?token=${driver_token}`))
      opens(yield* server.sendTo("GET", new URL(links.upload).pathname))
    })
  )

  it.effect("from before there were link keys still works, and no other link works with the number", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const server = yield* openServer()
      const { businessId, send } = yield* company(server)
      const invoice = record(
        yield* send("POST", "/invoices", { items: [{ description: "Ride", unit_price: 90 }] })
      )
      const { invoice_id, payment_hash } = invoice
      const former = String(payment_hash).replace(/^inv_[^_]+_/u, `inv_${businessId}_`)
      const open = (hash: unknown) => server.send("GET", `/public/invoices/${String(hash)}`)
      assert.strictEqual((yield* open(payment_hash)).status, 200)
      assert.strictEqual((yield* open(former)).status, 404)
      yield* sql`UPDATE invoices SET payment_hash = ${former} WHERE invoice_id = ${Number(invoice_id)}`
      assert.strictEqual((yield* open(former)).status, 200)
    })
  )
})
