import { InvoiceRenderer, FileStore, FilesUnavailable, PaymentPage, PdfUnavailable } from "@livery/domain"
import { assert } from "@effect/vitest"
import { Deferred, Effect, Fiber, Semaphore } from "effect"
import { eventually } from "../../../../test/support/Eventually.ts"
import { readPdf } from "../../../integrations/test/pdf/ReadPdf.ts"
import { messagesTo } from "../support/People.ts"
import { openServer, record, refusedAs } from "../support/TestServer.ts"
import { biller, billing, wrongFields } from "./Billing.ts"
import { pathOf, invoicePrinter, rendererThat, isPdf } from "./InvoicePrinting.ts"

/** The text of a PDF in reading order. */
const textOf = (bytes: Uint8Array) =>
  Effect.map(readPdf(bytes), ({ pages }) =>
    pages.map(({ text }) => text.replaceAll("|", " ").replaceAll(/[\s\u00A0\u202F]+/gu, " ")).join("\n")
  )

billing("the PDF of an invoice", (it) => {
  it.effect(
    "shows both parties, the lines and the sums, in the business's language, with its electronic copy",
    () =>
      Effect.gen(function* () {
        const { invoice, send } = yield* invoicePrinter(yield* openServer())
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

  it.effect("is the same bytes for the same invoice, with the payment that sealed it and no later one", () =>
    Effect.gen(function* () {
      const { invoice, payment, send } = yield* invoicePrinter(yield* openServer())
      const made = yield* invoice()
      const pdf = send("GET", `${pathOf(made)}/pdf`)
      const [first, second] = [yield* pdf, yield* pdf]
      assert.isTrue(isPdf(first))
      assert.deepStrictEqual(second.bytes, first.bytes)
      yield* payment(made["invoice_id"], 19)
      const sealed = yield* pdf
      assert.notDeepEqual(sealed.bytes, first.bytes)
      yield* payment(made["invoice_id"], 100)
      assert.deepStrictEqual((yield* pdf).bytes, sealed.bytes)
    })
  )

  it.effect("names the days, the order and the cost center of its trips", () =>
    Effect.gen(function* () {
      const { raise, send, trip } = yield* invoicePrinter(yield* openServer())
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
      const server = yield* Effect.provideService(openServer(), PaymentPage, page)
      const { invoice, payment, send } = yield* invoicePrinter(server)
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
      const { invoice, send } = yield* invoicePrinter(yield* openServer())
      const made = yield* invoice({ notes: "東京", due_date: null })
      const { headers, status } = yield* send("GET", `${pathOf(made)}/pdf`)
      assert.strictEqual(status, 200)
      assert.strictEqual(decodeURIComponent(headers.get("x-missing-characters") ?? ""), "東京")
      assert.strictEqual(headers.get("x-electronic-invoice"), "incomplete")
      assert.strictEqual(headers.get("x-electronic-invoice-faults"), "due_date")
      const han = String.fromCodePoint(...Array.from({ length: 3000 }, (_, index) => 0x4e00 + index))
      const other = yield* invoice({ notes: han })
      const named = (yield* send("GET", `${pathOf(other)}/pdf`)).headers.get("x-missing-characters") ?? ""
      assert.isAtMost(named.length, 2000)
      assert.isTrue(han.startsWith(decodeURIComponent(named)))
    })
  )

  it.effect("has the business's own logo, and none if its address is that of another business's upload", () =>
    Effect.gen(function* () {
      const logos: Array<boolean> = []
      const blank = yield* InvoiceRenderer
      const renderer = InvoiceRenderer.of({
        render: (document) => {
          logos.push(document.logo !== null)
          return blank.render(document)
        }
      })
      const server = yield* Effect.provideService(openServer(), InvoiceRenderer, renderer)
      const owner = yield* invoicePrinter(server)
      const other = yield* invoicePrinter(server)
      const { logo_url } = record(yield* owner.send("GET", "/settings/business"))
      record(yield* other.send("PATCH", "/settings/business", { logo_url }))
      for (const { invoice, send } of [owner, other])
        assert.isTrue(isPdf(yield* send("GET", `${pathOf(yield* invoice())}/pdf`)))
      assert.deepStrictEqual(logos, [true, false])
    })
  )

  it.effect("waits for one of each other business at most, however many they want", () =>
    Effect.gen(function* () {
      const turn = yield* Semaphore.make(1)
      const waiting: Array<Deferred.Deferred<void>> = []
      const handedOver: Array<string> = []
      const drawn: Array<string> = []
      const blank = yield* InvoiceRenderer
      const renderer = InvoiceRenderer.of({
        render: (document) => {
          handedOver.push(document.seller.name)
          return turn.withPermit(
            Effect.gen(function* () {
              const mayEnd = yield* Deferred.make<void>()
              drawn.push(document.seller.name)
              waiting.push(mayEnd)
              yield* Deferred.await(mayEnd)
              return yield* blank.render(document)
            })
          )
        }
      })
      const server = yield* Effect.provideService(openServer(), InvoiceRenderer, renderer)
      const greedy = yield* invoicePrinter(server)
      const modest = yield* invoicePrinter(server)
      yield* greedy.send("PATCH", "/settings/business", { business_name: "Greedy" })
      yield* modest.send("PATCH", "/settings/business", { business_name: "Modest" })
      const pdfOf = Effect.fnUntraced(function* ({ invoice, send }: typeof greedy) {
        const made = yield* invoice()
        return yield* Effect.forkChild(send("GET", `${pathOf(made)}/pdf`))
      })
      const asked = [yield* pdfOf(greedy), yield* pdfOf(greedy), yield* pdfOf(greedy)]
      yield* eventually(() => drawn.length === 1)
      for (let turns = 0; turns < 500; turns++) yield* Effect.promise(() => new Promise(setImmediate))
      asked.push(yield* pdfOf(modest))
      yield* eventually(() => handedOver.includes("Modest"))
      for (let count = 1; count <= asked.length; count++) {
        yield* eventually(() => drawn.length === count)
        yield* Effect.forEach(waiting, (mayEnd) => Deferred.succeed(mayEnd, undefined))
      }
      for (const answer of asked) assert.isTrue(isPdf(yield* Fiber.join(answer)))
      assert.deepStrictEqual(drawn, ["Greedy", "Modest", "Greedy", "Greedy"])
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
        const server = yield* openServer().pipe(
          Effect.provideService(InvoiceRenderer, renderer),
          Effect.provideService(FileStore, store)
        )
        const { creditsLeft, email, invoice, send } = yield* invoicePrinter(server)
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
        const other = yield* biller(server)
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

billing("the business's details on invoices", (it) => {
  it.effect("are checked, each wrong one named", () =>
    Effect.gen(function* () {
      const { customer, send } = yield* biller(yield* openServer())
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
      for (const country of ["UK", "XX", "EL", "EU"])
        assert.deepStrictEqual(wrongFields(yield* send("PATCH", "/settings/business", { country })), {
          country: "invalid"
        })
      const made = yield* customer({ country: "gb", vat_number: "GB 123 4567 89" })
      assert.deepInclude(made, { country: "GB", vat_number: "GB123456789" })
    })
  )
})
