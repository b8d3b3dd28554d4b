import type { SaasInvoiceInput } from "@livery/domain"
import { assert, layer } from "@effect/vitest"
import { Effect, Exit } from "effect"
import { SqlClient } from "effect/sql"
import { business, superAdmin } from "../support/People.ts"
import { Ports } from "../support/TestPorts.ts"
import { openServer, record, records, refusedAs } from "../support/TestServer.ts"
import { invoice, payInvoice, recordInvoice, voidInvoice } from "./PlatformBilling.ts"

layer(Ports)("the invoices of the platform", (it) => {
  it.effect("/admin/saas-invoices lists by business and status, and reads lines and payments", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { token } = yield* superAdmin(server)
      const get = (path: string) => server.send("GET", `/admin/saas-invoices${path}`, { credential: token })
      const { businessId, business_name } = yield* business(server)
      const other = yield* business(server)
      const { saas_invoice_id } = yield* recordInvoice(invoice(businessId, "P-1"))
      yield* recordInvoice({ ...invoice(other.businessId, "P-2"), payments: [] })
      const sums = {
        subtotal: 85,
        discount_total: 10,
        tax_total: 2.5,
        total_amount: 77.5,
        amount_paid: 50,
        amount_due: 27.5
      }
      const [summary, ...more] = records(yield* get(`?business_id=${businessId}&status=partial`))
      assert.lengthOf(more, 0)
      assert.deepInclude(summary, { saas_invoice_id, business_name, status: "partial", ...sums })
      assert.notProperty(summary, "lines")
      const read = record(yield* get(`/${saas_invoice_id}`))
      assert.deepInclude(read, { number: "P-1", status: "partial", ...sums })
      assert.deepStrictEqual(read["lines"], [
        { description: "Pro", quantity: 1, unit_price: 40, amount: 40 },
        { description: "Seats", quantity: 3, unit_price: 15, amount: 45 }
      ])
      assert.deepStrictEqual(read["payments"], [
        { amount: 50, method: "card", paid_on: "2026-11-21", reference: "ch_1" }
      ])
      assert.lengthOf(records(yield* get("?status=unpaid")), 1)
      for (const query of ["status=open", "business_id=x", "page=0", "number=P-1"])
        refusedAs(yield* get(`?${query}`), 422, "invalid_request")
      refusedAs(yield* get("/999999999"), 404, "not_found")
    })
  )

  it.effect("an invoice of an absent business, with impossible sums or a taken number is refused", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { businessId } = yield* business(server)
      const issuesOf = (input: typeof SaasInvoiceInput.Encoded) =>
        Effect.map(Effect.flip(recordInvoice(input)), (error) =>
          "issues" in error ? error.issues : error.reason
        )
      assert.deepStrictEqual(yield* issuesOf({ ...invoice(999_999_999, "P-3"), coupon_id: 999_999 }), [
        { field: "business_id", issue: "not_found" },
        { field: "coupon_id", issue: "not_found" }
      ])
      assert.deepStrictEqual(yield* issuesOf({ ...invoice(businessId, "P-3"), discount_total: 500 }), [
        { field: "discount_total", issue: "out_of_range" }
      ])
      assert.deepStrictEqual(
        yield* issuesOf({
          ...invoice(businessId, "P-3"),
          payments: [{ amount: 77.51, method: "card", paid_on: "2026-11-21" }]
        }),
        [{ field: "payments", issue: "out_of_range" }]
      )
      const one = { method: "card", paid_on: "2026-11-21" } as const
      for (const [change, field] of [
        [{ discount_total: 85.01, payments: [] }, "discount_total"],
        [{ tax_total: 9_999_999_999 }, "tax_total"],
        [
          {
            payments: [
              { ...one, amount: 50 },
              { ...one, amount: 0 }
            ]
          },
          "payments.1.amount"
        ],
        [{ payments: [{ ...one, amount: 0 }], voided: true }, "payments.0.amount"],
        [{ period_end: "2026-10-31" }, "period_end"]
      ] as const)
        assert.deepStrictEqual(yield* issuesOf({ ...invoice(businessId, "P-3"), ...change }), [
          { field, issue: "out_of_range" }
        ])
      yield* recordInvoice({ ...invoice(businessId, "P-3-A-DAY"), period_end: "2026-11-01" })
      yield* recordInvoice(invoice(businessId, "P-3"))
      assert.strictEqual(yield* issuesOf(invoice(businessId, "P-3")), "Another invoice has that number")
    })
  )

  it.effect("a recorded invoice is paid step by step, never by more than is due, and audited", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const server = yield* openServer()
      const { token } = yield* superAdmin(server)
      const { businessId } = yield* business(server)
      const { saas_invoice_id } = yield* recordInvoice({ ...invoice(businessId, "P-4"), payments: [] })
      const read = Effect.map(
        server.send("GET", `/admin/saas-invoices/${saas_invoice_id}`, { credential: token }),
        (answer) => {
          const { amount_due, amount_paid, payments, status } = record(answer)
          return { status, amount_paid, amount_due, payments: (payments as ReadonlyArray<unknown>).length }
        }
      )
      const payment = { amount: 30, method: "bank_transfer", paid_on: "2026-11-25" } as const
      const issuesOf = (amount: number) =>
        Effect.map(Effect.flip(payInvoice(saas_invoice_id, { ...payment, amount })), (error) =>
          "issues" in error ? error.issues : error.message
        )
      const accepted = "more than 0, at most the 77.50 USD that are due"
      for (const [amount, issue] of [
        [77.51, { issue: "out_of_range", accepted }],
        [0, { issue: "out_of_range", accepted }],
        [1.005, { issue: "invalid" }]
      ] as const)
        assert.deepStrictEqual(yield* issuesOf(amount), [{ field: "amount", ...issue }])
      assert.deepStrictEqual(yield* read, { status: "unpaid", amount_paid: 0, amount_due: 77.5, payments: 0 })
      yield* payInvoice(saas_invoice_id, payment)
      assert.deepStrictEqual(yield* read, {
        status: "partial",
        amount_paid: 30,
        amount_due: 47.5,
        payments: 1
      })
      const several = yield* Effect.all(
        Array.from({ length: 4 }, () =>
          Effect.exit(payInvoice(saas_invoice_id, { ...payment, amount: 23.75 }))
        ),
        { concurrency: "unbounded" }
      )
      assert.lengthOf(several.filter(Exit.isSuccess), 2)
      assert.deepStrictEqual(yield* read, { status: "paid", amount_paid: 77.5, amount_due: 0, payments: 3 })
      assert.include((yield* Effect.flip(voidInvoice(saas_invoice_id))).message, "has payments")
      const audited = yield* sql<{ before: object; after: object }>`
        SELECT before, after FROM audit_log
        WHERE subject = ${`saas_invoice:${saas_invoice_id}`} AND action = 'saas_invoice.paid' ORDER BY audit_id`
      assert.deepStrictEqual(audited.map(({ after, before }) => [before, after])[0], [
        { status: "unpaid", amount_paid: 0 },
        { status: "partial", amount_paid: 30 }
      ])
      assert.lengthOf(audited, 3)
      assert.strictEqual((yield* Effect.flip(payInvoice(999_999_999, payment)))._tag, "NotFound")
    })
  )
})
