import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { carrier } from "../fares/Carrier.ts"
import { openServer, record } from "../support/TestServer.ts"
import { biller, billing, billingPg, line, wrongFields } from "./Billing.ts"
import { invoicePrinter, pathOf } from "./InvoicePrinting.ts"

const quebec = [
  { name: "GST", rate: 5 },
  { name: "QST", rate: 9.975 }
]

type Item = Readonly<Record<string, unknown>>

const itemsOf = (invoice: Readonly<Record<string, unknown>>) => invoice["items"] as ReadonlyArray<Item>

const taxesOf = (invoice: Readonly<Record<string, unknown>>) =>
  (invoice["tax_breakdown"] as ReadonlyArray<Item>).map(({ name, rate, tax_amount }) => [
    name,
    rate,
    tax_amount
  ])

billing("prices with tax", (it) => {
  it.effect("are what the customer pays; the net amounts and the tax are derived from them", () =>
    Effect.gen(function* () {
      const { invoice, send } = yield* biller(yield* openServer())
      const item = { description: "Ride", unit_price: 45.5, tax_rate: 10, tax_included: true }
      const made = yield* invoice({ items: [item, item, item] })
      assert.deepInclude(made, { subtotal: 124.09, tax_total: 12.41, total_amount: 136.5, amount_due: 136.5 })
      assert.deepStrictEqual(
        itemsOf(made).map(({ amount, gross_amount, tax_included }) => [amount, gross_amount, tax_included]),
        [
          [41.37, 45.5, true],
          [41.36, 45.5, true],
          [41.36, 45.5, true]
        ]
      )
      assert.deepStrictEqual(made["tax_breakdown"], [
        { name: null, rate: 10, taxable_amount: 124.09, tax_amount: 12.41 }
      ])
      const shown = record(yield* send("GET", `/public/invoices/${String(made["payment_hash"])}`))
      assert.deepStrictEqual(shown["tax_breakdown"], made["tax_breakdown"])
    })
  )

  it.effect("are the rule of a business that says so, with its taxes, unless an item says otherwise", () =>
    Effect.gen(function* () {
      const { invoice, raise, send } = yield* biller(yield* openServer())
      const settings = { prices_include_tax: true, default_taxes: quebec }
      assert.deepInclude(record(yield* send("PATCH", "/settings/business", settings)), settings)
      const made = yield* invoice({ items: [{ ...line, unit_price: 114.98 }] })
      assert.deepInclude(made, { subtotal: 100, tax_total: 14.98, total_amount: 114.98 })
      assert.deepStrictEqual(taxesOf(made), [
        ["GST", 5, 5],
        ["QST", 9.975, 9.98]
      ])
      const mixed = yield* invoice({
        items: [
          { ...line, tax_included: false },
          { ...line, tax_rate: 0 },
          { ...line, taxes: [{ name: "GST", rate: 5 }] }
        ]
      })
      assert.deepStrictEqual(
        itemsOf(mixed).map(({ amount, gross_amount, tax_rate }) => [amount, gross_amount, tax_rate]),
        [
          [100, null, 14.975],
          [100, null, 0],
          [95.24, 100, 5]
        ]
      )
      assert.deepInclude(mixed, { total_amount: 314.98 })
      const wrong = { ...line, tax_rate: 5, taxes: quebec }
      assert.deepStrictEqual(wrongFields(yield* raise({ items: [wrong] })), { "items.0.tax_rate": "invalid" })
      assert.deepStrictEqual(wrongFields(yield* raise({ items: [line], tax_rate: 5, taxes: quebec })), {
        tax_rate: "invalid"
      })
      const many = [{ rate: 60 }, { rate: 50 }]
      assert.deepStrictEqual(wrongFields(yield* raise({ items: [{ ...line, taxes: many }] })), {
        "items.0.taxes": "out_of_range"
      })
    })
  )

  it.effect("stay the same when the items of the invoice are sent back as they were read", () =>
    Effect.gen(function* () {
      const { invoice, send } = yield* biller(yield* openServer())
      const made = yield* invoice({
        items: [
          { ...line, taxes: quebec, tax_included: true },
          { ...line, tax_rate: 10, tax_included: true, quantity: 3 },
          { ...line, tax_rate: 10 },
          line
        ]
      })
      const items = itemsOf(made).map(({ amount: _amount, gross_amount: _gross, ...item }) => item)
      const changed = record(yield* send("PATCH", `/invoices/${String(made["invoice_id"])}`, { items }))
      assert.deepStrictEqual({ ...changed, updated_at: made["updated_at"] }, made)
    })
  )

  it.effect("of parts are credited with their tax, and add up to the invoice", () =>
    Effect.gen(function* () {
      const { invoice, read, send } = yield* biller(yield* openServer())
      const item = { description: "Ride", unit_price: 45.5, tax_rate: 10, tax_included: true }
      const made = yield* invoice({ items: [item, item, { ...line, taxes: quebec }] })
      const path = `/invoices/${String(made["invoice_id"])}`
      yield* send("POST", `${path}/issue`)
      const credit = (body: object) => Effect.map(send("POST", `${path}/credit-notes`, body), record)
      // The taxes, and that they are in the price, follow from the lines of the invoice.
      const part = yield* credit({ items: [{ description: "Late", unit_price: 20, tax_rate: 10 }] })
      assert.deepInclude(part, { total_amount: -20, subtotal: -18.18, tax_total: -1.82 })
      const rest = yield* credit({})
      const sum = (name: string) => Math.round((Number(part[name]) + Number(rest[name])) * 100) / 100
      for (const name of ["subtotal", "tax_total", "total_amount"])
        assert.strictEqual(sum(name), -Number(made[name]), name)
      assert.deepStrictEqual(taxesOf(rest), [
        [null, 10, -6.45],
        ["GST", 5, -5],
        ["QST", 9.975, -9.98]
      ])
      assert.deepInclude(yield* read(made["invoice_id"]), { amount_due: 0 })
    })
  )

  it.effect("carry no tax for a customer who pays none, unless the request says otherwise", () =>
    Effect.gen(function* () {
      const { customer, invoice, raise, send, trip } = yield* biller(yield* openServer())
      yield* send("PATCH", "/settings/business", { default_taxes: [{ rate: 20 }], prices_include_tax: true })
      const { customer_id } = yield* customer({ untaxed_as: "reverse_charge", untaxed_reason: "Art. 196" })
      const reasons = { untaxed_as: "reverse_charge", untaxed_reason: "Art. 196" }
      const made = yield* invoice({ customer_id, items: [line] })
      assert.deepInclude(made, { tax_total: 0, total_amount: 100, ...reasons })
      const { trip_id } = yield* trip({ customer_id, total_amount: 60, taxes: [{ rate: 10 }] })
      assert.deepInclude(yield* invoice({ trip_ids: [trip_id] }), {
        tax_total: 0,
        total_amount: 60,
        customer_id,
        ...reasons
      })
      assert.deepInclude(yield* invoice({ customer_id, items: [{ ...line, tax_rate: 20 }] }), {
        subtotal: 83.33,
        total_amount: 100
      })
      yield* send("PATCH", `/customers/${String(customer_id)}`, {
        untaxed_as: "exempt",
        untaxed_reason: null
      })
      assert.deepStrictEqual(wrongFields(yield* raise({ customer_id, items: [line] })), {
        untaxed_reason: "required"
      })
      yield* send("PATCH", `/customers/${String(customer_id)}`, { untaxed_as: null })
      assert.deepInclude(yield* invoice({ customer_id, items: [line] }), {
        subtotal: 83.33,
        untaxed_as: "zero_rated"
      })
    })
  )

  it.effect("of several kinds are on the invoice of a month, each trip with its own taxes", () =>
    Effect.gen(function* () {
      const { customer, send, trip } = yield* biller(yield* openServer())
      yield* send("PATCH", "/settings/business", { default_taxes: [{ rate: 20 }] })
      const { customer_id } = yield* customer()
      const completed = Effect.fnUntraced(function* (body: object) {
        const { trip_id } = yield* trip({ customer_id, total_amount: 110, ...body })
        record(yield* send("PATCH", `/trips/${String(trip_id)}`, { status: "completed" }))
      })
      yield* completed({ trip_date: "2026-12-01T10:00:00Z" })
      yield* completed({ trip_date: "2026-12-02T10:00:00Z", taxes: [{ rate: 10 }], tax_included: true })
      yield* completed({ trip_date: "2026-12-03T10:00:00Z", taxes: [], tax_included: true })
      const made = record(
        yield* send("POST", `/customers/${String(customer_id)}/invoices`, { month: "2026-12" })
      )
      assert.deepStrictEqual(
        itemsOf(made).map(({ amount, gross_amount, tax_rate }) => [amount, gross_amount, tax_rate]),
        [
          [110, null, 20],
          [100, 110, 10],
          [110, null, 0]
        ]
      )
      assert.deepInclude(made, { subtotal: 320, tax_total: 32, total_amount: 352 })
    })
  )

  it.effect("of trips are settled again when a trip is added or taken off", () =>
    Effect.gen(function* () {
      const { invoice, send, trip } = yield* biller(yield* openServer())
      const ride = { total_amount: 45.5, taxes: [{ rate: 10 }], tax_included: true }
      const ids = [yield* trip(ride), yield* trip(ride), yield* trip(ride)].map(({ trip_id }) => trip_id)
      const made = yield* invoice({ trip_ids: ids.slice(0, 1) })
      const path = `/invoices/${String(made["invoice_id"])}/trips`
      const added = record(yield* send("POST", path, { trip_ids: ids.slice(1) }))
      assert.deepInclude(added, { subtotal: 124.09, tax_total: 12.41, total_amount: 136.5 })
      const left = record(yield* send("DELETE", path, { trip_ids: ids.slice(1, 2) }))
      assert.deepInclude(left, { subtotal: 82.73, tax_total: 8.27, total_amount: 91 })
    })
  )
})

billingPg("the taxes of a tariff", (it) => {
  it.effect("are in the price of its trips: the invoice is of the price, and exempt parts are apart", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { read, send, sold, tariffId } = yield* carrier(server)
      const setTax = (tax: object) =>
        send("PATCH", `/tariffs/${tariffId}`, {
          modifiers: { tolls: [{ name: "Bridge", amount: 6 }], tax }
        })
      const rates = [{ name: "VAT", percent: 10 }]
      const raised = Effect.fnUntraced(function* (path: string, body: object = {}) {
        const { total_amount, trip_id } = yield* read(path)
        return {
          total_amount,
          made: record(yield* send("POST", "/invoices", { trip_ids: [trip_id], ...body }))
        }
      })
      yield* setTax({ included: true, exempt: ["tolls"], rates })
      const first = yield* raised((yield* sold()).path)
      assert.deepInclude(first.made, { total_amount: first.total_amount, subtotal: 46.91, tax_total: 4.09 })
      assert.deepStrictEqual(
        itemsOf(first.made).map(({ amount, gross_amount, tax_rate }) => [amount, gross_amount, tax_rate]),
        [
          [40.91, 45, 10],
          [6, null, 0]
        ]
      )
      assert.match(String(itemsOf(first.made)[1]?.["description"]), /^TR-\w+, Bridge$/u)

      yield* setTax({ included: false, exempt: [], rates: [...rates, { name: "City", percent: 2.5 }] })
      const second = yield* raised((yield* sold()).path)
      assert.strictEqual(second.total_amount, 57.38)
      assert.deepInclude(second.made, { subtotal: 51, tax_total: 6.38, total_amount: 57.38 })
      assert.deepStrictEqual(taxesOf(second.made), [
        ["VAT", 10, 5.1],
        ["City", 2.5, 1.28]
      ])

      // A price that was set by hand has the taxes of the tariff, and a rate of the request replaces them.
      const { path } = yield* sold()
      record(yield* send("PATCH", path, { total_amount: 90 }))
      const third = yield* raised(path)
      assert.deepInclude(third.made, { subtotal: 80, tax_total: 10, total_amount: 90 })
      const fourth = yield* raised((yield* sold()).path, { tax_rate: 20 })
      assert.deepInclude(fourth.made, { total_amount: 57.38, tax_total: 9.56 })
    })
  )
})

billing("the PDF of an invoice with prices with tax", (it) => {
  it.effect("has an electronic copy, also of a credit note, unless a line has several taxes", () =>
    Effect.gen(function* () {
      const { invoice, send } = yield* invoicePrinter(yield* openServer())
      const copyOf = (path: string) =>
        Effect.map(send("GET", path), ({ headers }) => [
          headers.get("x-electronic-invoice"),
          headers.get("x-electronic-invoice-faults")
        ])
      const item = { description: "Ride", unit_price: 45.5, tax_rate: 10, tax_included: true, quantity: 3 }
      const made = yield* invoice({ items: [item, { ...item, tax_rate: 20, quantity: 1 }, line] })
      assert.deepStrictEqual(yield* copyOf(`${pathOf(made)}/pdf`), ["attached", null])
      yield* send("POST", `${pathOf(made)}/issue`)
      const note = record(
        yield* send("POST", `${pathOf(made)}/credit-notes`, {
          items: [{ description: "Late", unit_price: 20.5, tax_rate: 10 }]
        })
      )
      const notePath = `${pathOf(made)}/credit-notes/${String(note["credit_note_id"])}/pdf`
      assert.deepStrictEqual(yield* copyOf(notePath), ["attached", null])
      const several = yield* invoice({ items: [{ ...line, taxes: quebec }] })
      assert.deepStrictEqual(yield* copyOf(`${pathOf(several)}/pdf`), [
        "incomplete",
        "lines[0].taxes, taxes[0], taxes[1], taxes"
      ])
    })
  )
})
