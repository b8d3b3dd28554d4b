import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { readPdf } from "../../../integrations/test/pdf/ReadPdf.ts"
import { type Answer, openServer, record, refusedAs } from "../support/TestServer.ts"
import { billing, line, wrongFields } from "./Billing.ts"
import { invoicePrinter, pathOf } from "./InvoicePrinting.ts"

const law = "Kein Ausweis von Umsatzsteuer nach § 19 UStG"

/** The taxes in the electronic copy of an invoice: category, rate and reason. */
const taxesIn = (xml: string) =>
  [...xml.matchAll(/<ram:ApplicableTradeTax>.*?<ram:CalculatedAmount>.*?<\/ram:ApplicableTradeTax>/gsu)].map(
    ([text]) => ({
      category: /<ram:CategoryCode>(.*?)</u.exec(text)?.[1],
      rate: /<ram:RateApplicablePercent>(.*?)</u.exec(text)?.[1],
      reason: /<ram:ExemptionReason>(.*?)</u.exec(text)?.[1]
    })
  )

/** The text and the electronic copy of a PDF. */
const printed = Effect.fnUntraced(function* (bytes: Uint8Array) {
  const { files, pages } = yield* readPdf(bytes)
  const text = pages.map((page) => page.text.replaceAll(/[|\s\u00A0\u202F]+/gu, " ")).join("\n")
  return { text, taxes: taxesIn(files[0]?.text ?? "") }
})

billing("lines without tax", (it) => {
  it.effect("are zero-rated, exempt or under reverse charge, on paper and in the electronic copy", () =>
    Effect.gen(function* () {
      const { invoice, send } = yield* invoicePrinter(yield* openServer())
      const pdfOf = Effect.fnUntraced(function* (body: object) {
        const made = yield* invoice({ items: [line], ...body })
        const { bytes, headers } = yield* send("GET", `${pathOf(made)}/pdf`)
        const { taxes, text } = yield* printed(bytes)
        return { made, taxes, text, copy: headers.get("x-electronic-invoice") }
      })
      const zero = yield* pdfOf({})
      assert.deepInclude(zero.made, { untaxed_as: "zero_rated", untaxed_reason: null })
      assert.deepStrictEqual(zero.taxes, [{ category: "Z", rate: "0", reason: undefined }])

      const exempt = yield* pdfOf({ untaxed_as: "exempt", untaxed_reason: law })
      assert.deepInclude(exempt.made, { untaxed_as: "exempt", untaxed_reason: law })
      assert.deepStrictEqual(exempt.taxes, [{ category: "E", rate: "0", reason: law }])
      assert.include(exempt.text, law)

      // The customer has no VAT number, which reverse charge requires.
      const foreign = yield* pdfOf({ untaxed_as: "reverse_charge" })
      assert.strictEqual(foreign.copy, "incomplete")
      assert.include(foreign.text, "Steuerschuldnerschaft des Leistungsempfängers")
      record(
        yield* send("PATCH", `/customers/${String(foreign.made["customer_id"])}`, {
          vat_number: "GB123456789"
        })
      )
      const charged = yield* pdfOf({ untaxed_as: "reverse_charge", items: [line, { ...line, tax_rate: 19 }] })
      assert.strictEqual(charged.copy, "attached")
      assert.deepStrictEqual(charged.taxes, [
        { category: "AE", rate: "0", reason: "Reverse charge" },
        { category: "S", rate: "19", reason: undefined }
      ])
    })
  )

  it.effect("are as the settings say unless the request says otherwise, and stay so", () =>
    Effect.gen(function* () {
      const { customer, invoice, read, send, trip } = yield* invoicePrinter(yield* openServer())
      const untaxedIn = ({ untaxed_as, untaxed_reason }: Readonly<Record<string, unknown>>) => [
        untaxed_as,
        untaxed_reason
      ]
      const before = yield* invoice()
      record(yield* send("PATCH", "/settings/business", { untaxed_as: "exempt", untaxed_reason: law }))
      assert.deepStrictEqual(untaxedIn(yield* read(before["invoice_id"])), ["zero_rated", null])
      assert.deepStrictEqual(untaxedIn(yield* invoice()), ["exempt", law])
      const other = yield* invoice({ untaxed_reason: "Other law" })
      assert.deepStrictEqual(untaxedIn(other), ["exempt", "Other law"])
      assert.deepStrictEqual(untaxedIn(yield* invoice({ untaxed_as: "reverse_charge" })), [
        "reverse_charge",
        null
      ])
      const customer_id = customer["customer_id"]
      const { trip_id } = yield* trip({ customer_id, currency: "EUR", total_amount: 50 })
      record(yield* send("PATCH", `/trips/${String(trip_id)}`, { status: "completed" }))
      const month = { month: "2026-12", currency: "EUR", untaxed_as: "reverse_charge" }
      const bill = send("POST", `/customers/${String(customer_id)}/invoices`, month)
      assert.deepStrictEqual(untaxedIn(record(yield* bill)), ["reverse_charge", null])
      const changed = yield* send("PATCH", pathOf(before), { untaxed_as: "exempt", untaxed_reason: law })
      assert.deepStrictEqual(untaxedIn(record(changed)), ["exempt", law])
    })
  )

  it.effect("take no reason of another treatment when theirs is changed", () =>
    Effect.gen(function* () {
      const { invoice, raise, send } = yield* invoicePrinter(yield* openServer())
      const untaxedOf = (answer: Answer) => {
        const { untaxed_as, untaxed_reason } = record(answer)
        return [untaxed_as, untaxed_reason]
      }
      const settings = (body: object) => send("PATCH", "/settings/business", body)
      record(yield* settings({ untaxed_as: "exempt", untaxed_reason: law }))
      const made = yield* invoice()
      const change = (body: object) => send("PATCH", pathOf(made), body)
      assert.deepStrictEqual(untaxedOf(yield* change({ notes: "A", untaxed_as: "exempt" })), ["exempt", law])
      assert.deepStrictEqual(untaxedOf(yield* change({ untaxed_as: "reverse_charge" })), [
        "reverse_charge",
        null
      ])
      const article = { untaxed_as: "reverse_charge", untaxed_reason: "Art. 196" }
      assert.deepStrictEqual(untaxedOf(yield* change(article)), ["reverse_charge", "Art. 196"])
      assert.deepStrictEqual(untaxedOf(yield* change({ untaxed_as: "exempt" })), ["exempt", law])
      assert.deepStrictEqual(untaxedOf(yield* settings({ untaxed_as: "reverse_charge" })), [
        "reverse_charge",
        null
      ])
      assert.deepStrictEqual(untaxedOf(yield* raise()), ["reverse_charge", null])
      assert.deepStrictEqual(wrongFields(yield* settings({ untaxed_as: "exempt" })), {
        untaxed_reason: "required"
      })
    })
  )

  it.effect("of an invoice with a credit note keep their treatment, which is that of the note", () =>
    Effect.gen(function* () {
      const { invoice, payment, send } = yield* invoicePrinter(yield* openServer())
      const made = yield* invoice({ items: [line, line], untaxed_as: "exempt", untaxed_reason: law })
      yield* payment(made["invoice_id"], 100)
      record(yield* send("POST", `${pathOf(made)}/credit-notes`, { items: [line] }))
      for (const body of [{ untaxed_as: "zero_rated" }, { untaxed_reason: "Other law" }])
        refusedAs(yield* send("PATCH", pathOf(made), body), 409, "conflict")
      const same = { untaxed_as: "exempt", untaxed_reason: law, notes: "Thanks" }
      assert.deepInclude(record(yield* send("PATCH", pathOf(made), same)), same)
    })
  )

  it.effect("need a reason if they are exempt", () =>
    Effect.gen(function* () {
      const { invoice, raise, send } = yield* invoicePrinter(yield* openServer())
      const missing = { untaxed_reason: "required" }
      assert.deepStrictEqual(wrongFields(yield* raise({ items: [line], untaxed_as: "exempt" })), missing)
      assert.deepStrictEqual(
        wrongFields(yield* raise({ items: [line], untaxed_as: "exempt", untaxed_reason: " " })),
        missing
      )
      assert.deepStrictEqual(
        wrongFields(yield* send("PATCH", "/settings/business", { untaxed_as: "exempt" })),
        missing
      )
      const made = yield* invoice()
      assert.deepStrictEqual(
        wrongFields(yield* send("PATCH", pathOf(made), { untaxed_as: "exempt" })),
        missing
      )
      assert.deepStrictEqual(wrongFields(yield* raise({ items: [line], untaxed_as: "free" })), {
        untaxed_as: "unknown_value"
      })
    })
  )

  it.effect("are credited as they were charged", () =>
    Effect.gen(function* () {
      const { invoice, payment, send } = yield* invoicePrinter(yield* openServer())
      const made = yield* invoice({ items: [line], untaxed_as: "exempt", untaxed_reason: law })
      yield* payment(made["invoice_id"], 100)
      const note = record(yield* send("POST", `${pathOf(made)}/credit-notes`, {}))
      const { bytes } = yield* send(
        "GET",
        `${pathOf(made)}/credit-notes/${String(note["credit_note_id"])}/pdf`
      )
      const { taxes, text } = yield* printed(bytes)
      assert.deepStrictEqual(taxes, [{ category: "E", rate: "0", reason: law }])
      assert.include(text, law)
    })
  )
})
