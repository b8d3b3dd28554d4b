/** A business that draws and emails its invoices. */
import { InvoiceRenderer, type PdfUnavailable, type RenderedInvoice } from "@livery/domain"
import { Effect } from "effect"
import { readFileSync } from "node:fs"
import { type Answer, record, type TestServer } from "../support/TestServer.ts"
import { creditsOf, setCredits } from "../support/People.ts"
import { biller, line } from "./Billing.ts"

/** The logo of the business. */
const logo = readFileSync(new URL("../../../integrations/test/pdf/logo.png", import.meta.url))

/** The path of an invoice. */
export const pathOf = (invoice: Readonly<Record<string, unknown>>) =>
  `/invoices/${String(invoice["invoice_id"])}`

/** A business in Zurich with a logo, a customer and credits for emails. */
export const invoicePrinter = Effect.fnUntraced(function* (server: TestServer, credits = 5) {
  const owner = yield* biller(server)
  const { businessId, key, send } = owner
  const form = new FormData()
  form.append("file", new Blob([logo]), "logo.png")
  const response = new Response(form)
  const { upload_id } = record(
    yield* server.send("POST", "/uploads", {
      credential: key,
      form: new Uint8Array(yield* Effect.promise(() => response.arrayBuffer())),
      headers: { "content-type": response.headers.get("content-type") ?? "" }
    })
  )
  yield* setCredits(businessId, credits)
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
      logo_upload_id: upload_id
    })
  )
  const customer = yield* owner.customer({
    name: "Ada Lovelace",
    company: "Analytical Engines Ltd",
    email: `ada${businessId}@example.com`,
    address: "12 St James's Square, London",
    country: "GB"
  })
  const creditsLeft = creditsOf(businessId)
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

/** A renderer that runs an effect before it draws. */
export const rendererThat = Effect.fnUntraced(function* (
  before: Effect.Effect<void, PdfUnavailable>,
  change: (rendered: RenderedInvoice) => RenderedInvoice = (rendered) => rendered
) {
  const renderer = yield* InvoiceRenderer
  return InvoiceRenderer.of({
    render: (document) => Effect.andThen(before, Effect.map(renderer.render(document), change))
  })
})

/** Whether the body of an answer begins like a PDF. */
export const isPdf = ({ bytes }: Answer) => new TextDecoder().decode(bytes.slice(0, 5)) === "%PDF-"
