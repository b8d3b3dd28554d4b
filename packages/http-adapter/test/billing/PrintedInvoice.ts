/** An invoice that is printed, and what its PDF has from elsewhere. */
import { Effect } from "effect"
import { openServer, record } from "../support/TestServer.ts"
import { line } from "./Billing.ts"
import { invoicePrinter, pathOf } from "./InvoicePrinting.ts"

/** A business with an invoice, and functions that read it and its PDF. */
export const printed = Effect.gen(function* () {
  const owner = yield* invoicePrinter(yield* openServer())
  const made = yield* owner.invoice({ notes: "Thank you" })
  const path = pathOf(made)
  const { send } = owner
  return {
    ...owner,
    made,
    path,
    now: Effect.map(send("GET", path), record),
    pdf: Effect.map(send("GET", `${path}/pdf`), ({ bytes }) => bytes),
    /** Changes everything that the PDF of an invoice has from elsewhere. */
    changeElsewhere: Effect.gen(function* () {
      const seller = {
        business_name: "Other",
        address: "Elsewhere 1",
        locale: "fr-FR",
        iban: null,
        logo_url: null
      }
      record(yield* send("PATCH", "/settings/business", { ...seller, timezone: "Pacific/Auckland" }))
      const customer = `/customers/${String(owner.customer["customer_id"])}`
      record(yield* send("PATCH", customer, { name: "Someone", company: null, address: "Nowhere" }))
    })
  }
})

/** Other items than those of the invoice. */
export const other = [{ ...line, unit_price: 1, tax_rate: 19 }]
