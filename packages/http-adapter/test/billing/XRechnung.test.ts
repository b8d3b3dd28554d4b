// XRechnung over HTTP.
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { openServer, record } from "../support/TestServer.ts"
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
})
