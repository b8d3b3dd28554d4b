import {
  InvoiceRenderer,
  FileStore,
  FilesUnavailable,
  PaymentPage,
  PdfUnavailable,
  type RenderedInvoice
} from "@livery/domain"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { readFileSync } from "node:fs"
import { readPdf } from "../../../integrations/test/pdf/ReadPdf.ts"
import { messagesTo } from "../support/People.ts"
import { type Answer, openWire, record, refusedAs, type Wire } from "../support/Wire.ts"
import { assertStatuses, biller, billing, line, wrongFields } from "./Billing.ts"

const logo = readFileSync(new URL("../../../integrations/test/pdf/logo.png", import.meta.url))

const pathOf = (invoice: Readonly<Record<string, unknown>>) => `/invoices/${String(invoice["invoice_id"])}`

/** A business in Zurich with a logo, a customer and credits for emails. */
const printer = Effect.fnUntraced(function* (wire: Wire, credits = 5) {
  const owner = yield* biller(wire)
  const sql = yield* SqlClient.SqlClient
  const { businessId, key, send } = owner
  const form = new FormData()
  form.append("file", new Blob([logo]), "logo.png")
  const response = new Response(form)
  const { url } = record(
    yield* wire.send("POST", "/uploads", {
      credential: key,
      form: new Uint8Array(yield* Effect.promise(() => response.arrayBuffer())),
      headers: { "content-type": response.headers.get("content-type") ?? "" }
    })
  )
  yield* sql`UPDATE businesses SET email_credits = ${credits} WHERE business_id = ${businessId}`
  record(
    yield* send("PATCH", "/settings/business", {
      business_name: "Isar Chauffeurs",
      address: "Leopoldstrasse 10\n80802 Munich",
      country: "de",
      locale: "de-DE",
      vat_number: "DE 123456789",
      iban: "DE89 3704 0044 0532 0130 00",
      timezone: "Europe/Berlin",
      currency: "EUR",
      logo_url: url
    })
  )
  const customer = yield* owner.customer({
    name: "Ada Lovelace",
    company: "Analytical Engines Ltd",
    email: `ada${businessId}@example.com`,
    address: "12 St James's Square, London",
    country: "GB"
  })
  const creditsLeft = Effect.map(
    sql<{ email_credits: number }>`SELECT email_credits FROM businesses WHERE business_id = ${businessId}`,
    ([row]) => row?.email_credits
  )
  const invoice = (body: object = {}) =>
    owner.invoice({
      customer_id: customer["customer_id"],
      currency: "EUR",
      due_date: "2026-12-04",
      items: [{ ...line, tax_rate: 19 }],
      ...body
    })
  return { ...owner, invoice, customer, email: String(customer["email"]), creditsLeft }
})

/** The text of a PDF in reading order. */
const textOf = (bytes: Uint8Array) =>
  Effect.map(readPdf(bytes), ({ pages }) =>
    pages.map(({ text }) => text.replaceAll("|", " ").replaceAll(/[\s\u00A0\u202F]+/gu, " ")).join("\n")
  )

/** A renderer that does this before it draws. */
const rendererThat = Effect.fnUntraced(function* (
  before: Effect.Effect<void, PdfUnavailable>,
  change: (rendered: RenderedInvoice) => RenderedInvoice = (rendered) => rendered
) {
  const renderer = yield* InvoiceRenderer
  return InvoiceRenderer.of({
    render: (document) => Effect.andThen(before, Effect.map(renderer.render(document), change))
  })
})

const isPdf = ({ bytes }: Answer) => new TextDecoder().decode(bytes.slice(0, 5)) === "%PDF-"

billing("the PDF of an invoice", (it) => {
  it.effect(
    "shows both parties, the lines and the sums, in the business's language, with its electronic copy",
    () =>
      Effect.gen(function* () {
        const { invoice, send } = yield* printer(yield* openWire())
        const made = yield* invoice()
        const answer = yield* send("GET", `${pathOf(made)}/pdf`)
        assert.deepStrictEqual(
          [answer.status, answer.headers.get("content-type"), answer.headers.get("content-disposition")],
          [200, "application/pdf", 'inline; filename="INV-000001.pdf"']
        )
        assert.deepStrictEqual(
          [answer.headers.get("x-electronic-invoice"), answer.headers.get("x-missing-characters")],
          ["attached", ""]
        )
        const exposed = (answer.headers.get("access-control-expose-headers") ?? "").toLowerCase().split(",")
        for (const name of [
          "content-disposition",
          "x-missing-characters",
          "x-electronic-invoice",
          "x-electronic-invoice-faults",
          "x-request-id"
        ])
          assert.include(exposed, name)
        const text = yield* textOf(answer.bytes)
        for (const part of [
          "Rechnung",
          "INV-000001",
          "Isar Chauffeurs",
          "80802 Munich",
          "Analytical Engines Ltd",
          "Ada Lovelace",
          "London",
          "119,00 €",
          "20. November 2026",
          "4. Dezember 2026",
          "DE89 3704 0044 0532 0130 00",
          "DE123456789"
        ])
          assert.include(text, part)
        const { files } = yield* readPdf(answer.bytes)
        assert.deepStrictEqual(
          files.map(({ name }) => name),
          ["factur-x.xml"]
        )
      })
  )

  it.effect("is the same bytes for the same invoice, and other bytes once it is paid", () =>
    Effect.gen(function* () {
      const { invoice, payment, send } = yield* printer(yield* openWire())
      const made = yield* invoice()
      const pdf = send("GET", `${pathOf(made)}/pdf`)
      const [first, second] = [yield* pdf, yield* pdf]
      assert.isTrue(isPdf(first))
      assert.deepStrictEqual(second.bytes, first.bytes)
      yield* payment(made["invoice_id"], 119)
      assert.notDeepEqual((yield* pdf).bytes, first.bytes)
    })
  )

  it.effect("names the days, the order and the cost center of its trips", () =>
    Effect.gen(function* () {
      const { raise, send, trip } = yield* printer(yield* openWire())
      const details = {
        currency: "EUR",
        total_amount: 50,
        po_number: "4500017734",
        customer_name: "Grace Hopper"
      }
      const one = yield* trip({ ...details, cost_center: "Sales" })
      const other = yield* trip({ ...details, trip_date: "2026-12-26T23:30:00Z", cost_center: "Research" })
      const made = record(yield* raise({ currency: "EUR", trip_ids: [one["trip_id"], other["trip_id"]] }))
      const text = yield* textOf((yield* send("GET", `${pathOf(made)}/pdf`)).bytes)
      for (const part of ["4500017734", "Grace Hopper", "Sales", "Research", "24.–27"])
        assert.include(text, part)
    })
  )

  it.effect("links to the page where the customer pays while something is due", () =>
    Effect.gen(function* () {
      const page = (hash: string) => `https://app.example.com/pay#invoice=${hash}`
      const wire = yield* Effect.provideService(openWire(), PaymentPage, page)
      const { invoice, payment, send } = yield* printer(wire)
      const made = yield* invoice()
      const linksOf = Effect.flatMap(send("GET", `${pathOf(made)}/pdf`), ({ bytes }) =>
        Effect.map(readPdf(bytes), ({ pages }) => pages.flatMap(({ links }) => links))
      )
      assert.include(yield* linksOf, page(String(made["payment_hash"])))
      yield* payment(made["invoice_id"], 119)
      assert.notInclude(yield* linksOf, page(String(made["payment_hash"])))
    })
  )

  it.effect("reports the characters that the fonts lack, and the fields that the electronic copy lacks", () =>
    Effect.gen(function* () {
      const { invoice, send } = yield* printer(yield* openWire())
      const made = yield* invoice({ notes: "東京", due_date: null })
      const { headers, status } = yield* send("GET", `${pathOf(made)}/pdf`)
      assert.strictEqual(status, 200)
      assert.strictEqual(decodeURIComponent(headers.get("x-missing-characters") ?? ""), "東京")
      assert.strictEqual(headers.get("x-electronic-invoice"), "incomplete")
      assert.strictEqual(headers.get("x-electronic-invoice-faults"), "due_on")
    })
  )

  it.effect(
    "is 503 pdf_unavailable while it cannot be drawn or its logo cannot be read, and 404 for another business",
    () =>
      Effect.gen(function* () {
        const files = yield* FileStore
        const state = { away: false, broken: true }
        const renderer = yield* rendererThat(
          Effect.suspend(() =>
            state.broken ? Effect.fail(new PdfUnavailable({ reason: "no thread" })) : Effect.void
          )
        )
        const store = FileStore.of({
          ...files,
          read: (name) =>
            state.away
              ? Effect.fail(new FilesUnavailable({ reason: "10.1.2.3", retryAfterSeconds: 5 }))
              : files.read(name)
        })
        const wire = yield* openWire().pipe(
          Effect.provideService(InvoiceRenderer, renderer),
          Effect.provideService(FileStore, store)
        )
        const { creditsLeft, email, invoice, send } = yield* printer(wire)
        const made = yield* invoice()
        const path = `${pathOf(made)}/pdf`
        refusedAs(yield* send("GET", path), 503, "pdf_unavailable")
        refusedAs(yield* send("POST", `${pathOf(made)}/email`, {}), 503, "pdf_unavailable")
        assert.deepStrictEqual([yield* creditsLeft, yield* messagesTo(email)], [5, []])
        Object.assign(state, { broken: false, away: true })
        const unread = yield* send("GET", path)
        refusedAs(unread, 503, "pdf_unavailable")
        assert.notInclude(unread.text, "10.1.2.3")
        state.away = false
        assert.isTrue(isPdf(yield* send("GET", path)))
        const other = yield* biller(wire)
        refusedAs(yield* other.send("GET", path), 404, "not_found")
        refusedAs(
          yield* other.send("POST", `${pathOf(made)}/email`, { to: "x@example.com" }),
          404,
          "not_found"
        )
        refusedAs(yield* send("GET", "/invoices/x/pdf"), 404, "not_found")
      })
  )
})

billing("the email of an invoice", (it) => {
  it.effect("has the PDF and the customer's address, costs one credit, and sets sent_at", () =>
    Effect.gen(function* () {
      const { creditsLeft, email, invoice, read, send } = yield* printer(yield* openWire(), 2)
      const made = yield* invoice()
      yield* messagesTo("none")
      const sent = record(yield* send("POST", `${pathOf(made)}/email`))
      assert.deepStrictEqual(sent, {
        sent: true,
        to: email,
        sent_at: "2026-11-20T09:30:00Z",
        email_credits: 1,
        missing_characters: []
      })
      const [message, ...others] = yield* messagesTo(email)
      assert.lengthOf(others, 0)
      assert.strictEqual(message?.subject, "Invoice INV-000001 from Isar Chauffeurs")
      assert.include(
        message?.text,
        "Invoice INV-000001 of 119.00 EUR is attached. 119.00 EUR is due on 2026-12-04."
      )
      const [attachment] = message?.attachments ?? []
      assert.deepInclude(attachment, { file_name: "INV-000001.pdf", content_type: "application/pdf" })
      assert.deepStrictEqual(attachment?.content, (yield* send("GET", `${pathOf(made)}/pdf`)).bytes)
      assert.strictEqual((yield* read(made["invoice_id"]))["sent_at"], "2026-11-20T09:30:00Z")
      assert.strictEqual(yield* creditsLeft, 1)
    })
  )

  it.effect("goes to another address with a text of the business, if the request says so", () =>
    Effect.gen(function* () {
      const { invoice, send } = yield* printer(yield* openWire())
      const made = yield* invoice()
      const to = `books${String(made["payment_hash"]).slice(-6)}@example.com`.toLowerCase()
      record(yield* send("POST", `${pathOf(made)}/email`, { to, message: "Dear Ada" }))
      const [message] = yield* messagesTo(to)
      assert.match(message?.text ?? "", /^Dear Ada\n\nInvoice INV-000001/u)
    })
  )

  it.effect("is refused without a credit, sends nothing, and changes nothing", () =>
    Effect.gen(function* () {
      const { creditsLeft, email, invoice, read, send } = yield* printer(yield* openWire(), 0)
      const made = yield* invoice()
      refusedAs(yield* send("POST", `${pathOf(made)}/email`, {}), 403, "usage_limit_reached")
      assert.deepStrictEqual([yield* creditsLeft, yield* messagesTo(email)], [0, []])
      assert.deepStrictEqual(yield* read(made["invoice_id"]), made)
    })
  )

  it.effect("costs one credit each under races, never more than there are, and only what was sent", () =>
    Effect.gen(function* () {
      const { creditsLeft, email, invoice, send } = yield* printer(yield* openWire(), 3)
      const all = yield* Effect.forEach([1, 2, 3, 4, 5, 6, 7, 8], () => invoice())
      const answers = yield* Effect.forEach(all, (made) => send("POST", `${pathOf(made)}/email`, {}), {
        concurrency: "unbounded"
      })
      assertStatuses(answers, [200, 200, 200, 403, 403, 403, 403, 403])
      assert.strictEqual(yield* creditsLeft, 0)
      assert.lengthOf(yield* messagesTo(email), 3)
    })
  )

  it.effect("is sent once for one Idempotency-Key", () =>
    Effect.gen(function* () {
      const { creditsLeft, email, invoice, send } = yield* printer(yield* openWire())
      const made = yield* invoice()
      const once = send("POST", `${pathOf(made)}/email`, {}, { "idempotency-key": "send it" })
      assertStatuses(yield* Effect.all([once, once, once], { concurrency: "unbounded" }), [200, 200, 200])
      assert.strictEqual(yield* creditsLeft, 4)
      assert.lengthOf(yield* messagesTo(email), 1)
    })
  )

  it.effect("is drawn again if the invoice was paid while it was drawn", () =>
    Effect.gen(function* () {
      const state = { meanwhile: Effect.void as Effect.Effect<unknown>, drawn: 0 }
      const renderer = yield* rendererThat(
        Effect.suspend(() => {
          state.drawn += 1
          return state.drawn === 1 ? Effect.asVoid(state.meanwhile) : Effect.void
        })
      )
      const wire = yield* Effect.provideService(openWire(), InvoiceRenderer, renderer)
      const { creditsLeft, email, invoice, payment, send } = yield* printer(wire)
      const made = yield* invoice()
      state.meanwhile = payment(made["invoice_id"], 119)
      record(yield* send("POST", `${pathOf(made)}/email`, {}))
      assert.strictEqual(state.drawn, 2)
      const [message] = yield* messagesTo(email)
      assert.include(message?.text, "Nothing is due.")
      assert.strictEqual(yield* creditsLeft, 4)
    })
  )

  it.effect("names every wrong field, and is refused for a void invoice and without an address", () =>
    Effect.gen(function* () {
      const { creditsLeft, invoice, send } = yield* printer(yield* openWire())
      const made = yield* invoice({ customer_id: null })
      const path = `${pathOf(made)}/email`
      assert.deepStrictEqual(wrongFields(yield* send("POST", path, { to: "x", message: "x".repeat(5001) })), {
        to: "invalid",
        message: "too_long"
      })
      assert.deepStrictEqual(wrongFields(yield* send("POST", path, {})), { to: "required" })
      record(yield* send("POST", `${pathOf(made)}/void`))
      refusedAs(yield* send("POST", path, { to: "ada@example.com" }), 409, "conflict")
      assert.strictEqual(yield* creditsLeft, 5)
    })
  )
})

billing("the business's details on invoices", (it) => {
  it.effect("are checked, each wrong one named", () =>
    Effect.gen(function* () {
      const { customer, send } = yield* biller(yield* openWire())
      const wrong = {
        country: "GERMANY",
        locale: "de_DE!",
        vat_number: "1",
        iban: "DE89 3704 0044 0532 0130 01",
        bic: "X"
      }
      assert.deepStrictEqual(wrongFields(yield* send("PATCH", "/settings/business", wrong)), {
        country: "invalid",
        locale: "invalid",
        vat_number: "invalid",
        iban: "invalid",
        bic: "invalid"
      })
      const made = yield* customer({ country: "gb", vat_number: "GB 123 4567 89" })
      assert.deepInclude(made, { country: "GB", vat_number: "GB123456789" })
    })
  )
})
