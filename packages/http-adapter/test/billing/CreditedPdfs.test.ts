import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { readPdf } from "../../../integrations/test/pdf/ReadPdf.ts"
import { openServer, record } from "../support/TestServer.ts"
import { billing, line } from "./Billing.ts"
import { invoicePrinter, pathOf } from "./InvoicePrinting.ts"

billing("the PDFs of an invoice with credit notes", (it) => {
  it.effect("have electronic copies, also if the tax of a note is the difference of rounded taxes", () =>
    Effect.gen(function* () {
      const { invoice, payment, send } = yield* invoicePrinter(yield* openServer())
      const made = yield* invoice()
      yield* payment(made["invoice_id"], 119)
      const taxes: Array<unknown> = []
      for (let notes = 0; notes < 2; notes++) {
        const body = { items: [{ ...line, unit_price: 0.03, tax_rate: 19 }] }
        const note = record(yield* send("POST", `${pathOf(made)}/credit-notes`, body))
        taxes.push(note["tax_total"])
        const pdf = yield* send("GET", `${pathOf(made)}/credit-notes/${String(note["credit_note_id"])}/pdf`)
        assert.strictEqual(pdf.headers.get("x-electronic-invoice"), "attached")
      }
      assert.deepStrictEqual(taxes, [-0.01, 0])
      assert.strictEqual(
        (yield* send("GET", `${pathOf(made)}/pdf`)).headers.get("x-electronic-invoice"),
        "attached"
      )
    })
  )

  it.effect(
    "keep the passenger, the days and the PO number of rides that were taken off the credited invoice",
    () =>
      Effect.gen(function* () {
        const { raise, send, trip } = yield* invoicePrinter(yield* openServer())
        const { trip_id } = yield* trip({
          currency: "EUR",
          total_amount: 50,
          po_number: "4500017734",
          customer_name: "Grace Hopper"
        })
        const made = record(yield* raise({ currency: "EUR", trip_ids: [trip_id] }))
        record(yield* send("GET", `/public/invoices/${String(made["payment_hash"])}`))
        const pdfOf = (path: string) => Effect.map(send("GET", `${path}/pdf`), ({ bytes }) => bytes)
        const credit = (body: object) =>
          Effect.map(
            send("POST", `${pathOf(made)}/credit-notes`, body),
            (answer) => `${pathOf(made)}/credit-notes/${String(record(answer)["credit_note_id"])}`
          )
        const part = yield* credit({ items: [{ description: "Late", unit_price: 10 }] })
        const before = yield* pdfOf(part)
        const rest = yield* credit({})
        assert.deepInclude(record(yield* send("GET", pathOf(made))), { trip_ids: [], amount_credited: 50 })
        assert.deepStrictEqual(yield* pdfOf(part), before)
        for (const path of [pathOf(made), part, rest]) {
          const { pages } = yield* readPdf(yield* pdfOf(path))
          const text = pages
            .map((page) => page.text)
            .join(" ")
            .replaceAll("|", " ")
          for (const fact of ["Grace Hopper", "4500017734"]) assert.include(text, fact)
        }
      })
  )

  it.effect("say that an invoice is paid only if it was paid when it was sealed", () =>
    Effect.gen(function* () {
      const { invoice, payment, send } = yield* invoicePrinter(yield* openServer())
      const isStamped = (made: Readonly<Record<string, unknown>>) =>
        Effect.flatMap(send("GET", `${pathOf(made)}/pdf`), ({ bytes }) =>
          Effect.map(readPdf(bytes), ({ pages }) => pages.some(({ text }) => text.includes("BEZAHLT")))
        )
      const credited = yield* invoice()
      record(yield* send("POST", `${pathOf(credited)}/email`, {}))
      record(yield* send("POST", `${pathOf(credited)}/credit-notes`, {}))
      assert.isFalse(yield* isStamped(credited))
      const partly = yield* invoice()
      yield* payment(partly["invoice_id"], 19)
      assert.isFalse(yield* isStamped(partly))
      const rest = { items: [{ ...line, unit_price: 84.03, tax_rate: 19 }] }
      record(yield* send("POST", `${pathOf(partly)}/credit-notes`, rest))
      assert.isFalse(yield* isStamped(partly))
      const paid = yield* invoice()
      yield* payment(paid["invoice_id"], 119)
      assert.isTrue(yield* isStamped(paid))
    })
  )
})
