// XRechnung over HTTP.
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { openServer, record, records } from "../support/TestServer.ts"
import { billing, line, wrongFields } from "./Billing.ts"
import { invoicePrinter, pathOf } from "./InvoicePrinting.ts"

billing("XRechnung", (it) => {
  it.effect("of an invoice and of its credit note has the customer's reference, in both syntaxes", () =>
    Effect.gen(function* () {
      const { customer, invoice, send } = yield* invoicePrinter(yield* openServer())
      const made = yield* invoice({ items: [{ ...line, tax_rate: 19 }] })
      const file = `${pathOf(made)}/xrechnung`
      assert.deepStrictEqual(wrongFields(yield* send("GET", file)), {
        buyer_reference: "required",
        "seller.phone": "required",
        "buyer.address.city": "required",
        "buyer.address.postal_code": "required"
      })
      record(yield* send("PATCH", "/settings/business", { phone: "+49 89 1234567" }))
      record(
        yield* send("PATCH", `/customers/${String(customer["customer_id"])}`, {
          address: "Marienplatz 1\n80331 München",
          country: "DE",
          buyer_reference: "04011000-12345-35"
        })
      )
      const ubl = yield* send("GET", file)
      assert.strictEqual(ubl.status, 200)
      assert.strictEqual(ubl.headers.get("content-type"), "application/xml; charset=utf-8")
      assert.include(ubl.text, "<cbc:BuyerReference>04011000-12345-35</cbc:BuyerReference>")
      record(yield* send("PATCH", pathOf(made), { buyer_reference: "991-1" }))
      const cii = yield* send("GET", `${file}?syntax=cii`)
      assert.include(cii.text, "<ram:BuyerReference>991-1</ram:BuyerReference>")
      record(yield* send("POST", `${pathOf(made)}/issue`))
      const { credit_note_id } = record(yield* send("POST", `${pathOf(made)}/credit-notes`, {}))
      const note = yield* send("GET", `${pathOf(made)}/credit-notes/${String(credit_note_id)}/xrechnung`)
      assert.include(note.text, "<cbc:CreditNoteTypeCode>381</cbc:CreditNoteTypeCode>")
      assert.deepStrictEqual(wrongFields(yield* send("GET", `${file}?syntax=edifact`)), {
        syntax: "unknown_value"
      })
    })
  )

  it.effect(
    "of a correction has consistent sums in all three documents, and the credit note names the old one",
    () =>
      Effect.gen(function* () {
        const { customer, invoice, send } = yield* invoicePrinter(yield* openServer())
        record(yield* send("PATCH", "/settings/business", { phone: "+49 89 1234567" }))
        record(
          yield* send("PATCH", `/customers/${String(customer["customer_id"])}`, {
            address: "Marienplatz 1\n80331 München",
            country: "DE",
            buyer_reference: "04011000-12345-35"
          })
        )
        // No net amount in cents plus 19 % of it is 1.03, and none plus 7 % is 1.15.
        const gross = (unit_price: number, tax_rate: number) => ({
          ...line,
          unit_price,
          tax_rate,
          tax_included: true
        })
        const old = yield* invoice({ items: [gross(1.03, 19), gross(1.15, 7), { ...line, tax_rate: 19 }] })
        record(yield* send("POST", `${pathOf(old)}/issue`))
        record(yield* send("POST", `${pathOf(old)}/payments`, { amount: 50, method: "bank_transfer" }))
        const corrected = record(
          yield* send("POST", `${pathOf(old)}/correct`, {
            reason: "price",
            items: [gross(1.03, 19), { ...line, unit_price: 80.55, tax_rate: 19 }]
          })
        )
        const [note] = records(yield* send("GET", `${pathOf(old)}/credit-notes`))
        const noteFile = `${pathOf(old)}/credit-notes/${String(note?.["credit_note_id"])}/xrechnung`
        const payable = (total: unknown) =>
          `PayableAmount currencyID="${String(old["currency"])}">${Number(total).toFixed(2)}<`
        for (const [file, total] of [
          [`${pathOf(old)}/xrechnung`, old["total_amount"]],
          [noteFile, -Number(note?.["total_amount"])],
          [
            `${pathOf(corrected)}/xrechnung`,
            Number(corrected["total_amount"]) - Number(corrected["amount_paid"])
          ]
        ] as const) {
          const ubl = yield* send("GET", file)
          assert.strictEqual(ubl.status, 200, ubl.text)
          assert.include(ubl.text, payable(total), file)
          assert.strictEqual((yield* send("GET", `${file}?syntax=cii`)).status, 200)
        }
        const { text } = yield* send("GET", noteFile)
        assert.include(text, `<cac:BillingReference>`)
        assert.include(text, `<cbc:ID>${String(old["number"])}</cbc:ID>`)
        assert.strictEqual(Number(note?.["total_amount"]), -Number(old["total_amount"]))
      })
  )
})
