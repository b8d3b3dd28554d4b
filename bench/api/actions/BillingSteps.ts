/** Invoices, payments, credit notes, PDFs, emails and payment links. */
import { quietTime, ride, type Step, step, stepBy } from "./Step.ts"

const payer = stepBy("nobody")

const item = { description: "Transfer", unit_price: 129 }

/** The steps of billing, in order. No payment provider is configured, so payments by card end with 503. */
export const billingSteps: ReadonlyArray<Step> = [
  step("POST /invoices", {
    body: ({ customer }) => ({ customer_id: customer, currency: "CHF", items: [item] }),
    keep: { paid: "invoice_id", hash: "payment_hash" }
  }),
  step("GET /invoices/{paid}"),
  step("GET /invoices/{invoice}, with all payments"),
  step("PATCH /invoices/{paid}, notes", { body: () => ({ notes: "Changed" }) }),
  step("PATCH /invoices/{paid}, the customer", { body: ({ buyer }) => ({ customer_id: buyer }) }),
  step("POST /invoices/{paid}/issue"),
  step("GET /invoices/{paid}/timeline"),
  step("GET /invoices/{paid}/pdf"),
  step("GET /invoices/{invoice}/pdf, with all payments"),
  step("POST /invoices/{paid}/email", { body: () => ({ to: "books@example.com" }) }),
  step("POST /invoices/{paid}/remind, not overdue", { status: 409 }),
  payer("GET /public/invoices/{hash}"),
  payer("GET /public/invoices/{hash}/pdf"),
  payer("POST /public/invoices/{hash}/pay", { status: 503 }),
  step("POST /invoices/{paid}/payments", {
    body: () => ({ amount: 100, method: "cash" }),
    keep: { payment: "payment_id" }
  }),
  step("POST /invoices/{paid}/payments/{payment}/refund", { body: () => ({ amount: 10 }) }),
  step("POST /invoices/{paid}/payments, by mistake", {
    body: () => ({ amount: 1, method: "cash" }),
    keep: { mistaken: "payment_id" }
  }),
  step("POST /invoices/{paid}/payments/{mistaken}/reverse", { body: () => ({ reason: "A typing error" }) }),
  step("POST /payments", {
    body: ({ paid }) => ({ amount: 2, allocations: [{ invoice_id: paid, amount: 1 }] }),
    keep: { remittance: "remittance_id" }
  }),
  step("GET /payments/{remittance}"),
  step("POST /bank-statements", {
    body: () => {
      const form = new FormData()
      // A file that is known changes nothing.
      form.set("file", `day,amount,currency,text\n2026-01-05,2.00,CHF,${crypto.randomUUID()}\n`)
      for (const name of ["day", "amount", "currency"]) form.set(name, name)
      form.set("reference", "text")
      return form
    },
    keep: { statement: "statement_id" }
  }),
  step("GET /bank-statements"),
  step("GET /bank-statements/{statement}/entries", { keep: { bankEntry: "0.entry_id" } }),
  step("POST /bank-statements/{statement}/entries/{bankEntry}/ignore"),
  step("POST /bank-statements/{statement}/entries/{bankEntry}/confirm", {
    body: ({ paid }) => ({ allocations: [{ invoice_id: paid, amount: 1 }] })
  }),
  step("POST /invoices/{paid}/apply-credit", { body: () => ({ amount: 1 }) }),
  step("GET /customers/{buyer}/credit"),
  step("GET /customers/{buyer}/statement?from=2026-01-01&to=2026-12-31"),
  step("POST /customers/{buyer}/statement/send", {
    body: () => ({ from: "2026-01-01", to: "2026-12-31", email: "books@example.com" })
  }),
  step("POST /invoices/{paid}/credit-notes", {
    body: () => ({ items: [{ description: "Transfer", unit_price: 100 }] }),
    keep: { note: "credit_note_id" }
  }),
  step("GET /invoices/{paid}/credit-notes/{note}"),
  step("GET /invoices/{paid}/credit-notes/{note}/pdf"),
  step("GET /invoices/{paid}/xrechnung", { status: [200, 422] }),
  step("GET /invoices/{paid}/credit-notes/{note}/xrechnung", { status: [200, 422] }),
  step("POST /invoices/{paid}/correct", { body: () => ({ notes: "Corrected" }) }),
  ...["invoices", "credit-notes", "payments", "journal"].map((kind) =>
    step(`GET /exports/${kind}?from=2026-01-01&to=2026-12-31`)
  ),
  step("GET /reports/tax?from=2026-01-01&to=2026-12-31"),
  step("POST /trips, to be invoiced", {
    body: ({ customer }) => ({ ...ride, customer_id: customer, trip_date: quietTime(6) }),
    keep: { invoiced: "trip_id" }
  }),
  step("POST /invoices, to be void", {
    body: () => ({ currency: "CHF", items: [item] }),
    keep: { void: "invoice_id" }
  }),
  step("POST /invoices/{void}/trips", { body: ({ invoiced }) => ({ trip_ids: [invoiced] }) }),
  step("DELETE /invoices/{void}/trips", { body: ({ invoiced }) => ({ trip_ids: [invoiced] }) }),
  step("POST /invoices/{void}/void"),
  step("POST /invoices, to be deleted", {
    body: () => ({ currency: "CHF", items: [item] }),
    keep: { unused: "invoice_id" }
  }),
  step("DELETE /invoices/{unused}"),
  step("POST /trips/{invoiced}/payment-link", { status: 503 }),
  step("POST /customers/{buyer}/invoices, of 20 trips", {
    body: ({ month }) => ({ month, currency: "CHF" })
  }),
  step("POST /invoices/monthly", {
    body: () => ({ month: "2020-01" }),
    status: 202,
    keep: { run: "run_id" }
  }),
  step("GET /invoice-runs/{run}"),
  step("POST /customers/{customer}/invoices, of the customer with all trips", {
    body: ({ month }) => ({ month, currency: "CHF" }),
    status: [201, 409]
  })
]
