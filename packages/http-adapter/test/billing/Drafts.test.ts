import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { openServer, record, records, refusedAs } from "../support/TestServer.ts"
import { assertStatuses, biller, billing, billingPg, countsOf, line } from "./Billing.ts"
import { pathOf } from "./InvoicePrinting.ts"

/** A business with a draft of 100. */
const drafted = Effect.gen(function* () {
  const owner = yield* biller(yield* openServer())
  const draft = (body: object = {}) => owner.invoice({ items: [line], draft: true, ...body })
  const made = yield* draft()
  return { ...owner, draft, made, path: pathOf(made) }
})

billing("a draft of an invoice", (it) => {
  it.effect("has no number and is not due, and may be changed and printed", () =>
    Effect.gen(function* () {
      const { made, path, send } = yield* drafted
      assert.deepInclude(made, {
        number: null,
        status: "draft",
        allowed_transitions: ["unpaid"],
        total_amount: 100,
        amount_due: 0,
        sealed_at: null
      })
      const changed = record(yield* send("PATCH", path, { items: [{ ...line, unit_price: 70 }] }))
      assert.deepInclude(changed, { status: "draft", total_amount: 70 })
      const pdf = yield* send("GET", `${path}/pdf`)
      assert.strictEqual(pdf.status, 200)
      assert.include(pdf.headers.get("content-disposition"), "draft.pdf")
    })
  )

  it.effect("is neither emailed, nor viewed, paid, voided, credited nor corrected", () =>
    Effect.gen(function* () {
      const { made, path, pay, read, send, trip } = yield* drafted
      const link = `/public/invoices/${String(made["payment_hash"])}`
      refusedAs(yield* send("POST", `${path}/email`, { to: "ada@example.com" }), 409, "conflict")
      for (const public_ of [link, `${link}/pdf`]) refusedAs(yield* send("GET", public_), 404, "not_found")
      refusedAs(yield* send("POST", `${link}/pay`, {}), 404, "not_found")
      refusedAs(yield* pay(made["invoice_id"], 10), 409, "conflict")
      refusedAs(yield* send("POST", `${path}/void`), 422, "invalid_request")
      refusedAs(yield* send("POST", `${path}/credit-notes`, {}), 409, "conflict")
      refusedAs(yield* send("POST", `${path}/correct`, { notes: "x" }), 409, "conflict")
      const ride = yield* trip({ total_amount: 50 })
      record(yield* send("POST", `${path}/trips`, { trip_ids: [ride["trip_id"]] }))
      const payment = yield* send("POST", `/trips/${String(ride["trip_id"])}/payment-link`, {})
      refusedAs(payment, 409, "conflict")
      assert.deepInclude(yield* read(made["invoice_id"]), { status: "draft", sealed_at: null })
    })
  )

  it.effect("gets its number when it is issued, in the order of issue, and is sealed then", () =>
    Effect.gen(function* () {
      const { draft, events, invoice, made, path, send } = yield* drafted
      const later = yield* draft()
      assert.strictEqual((yield* invoice())["number"], "INV-000001")
      const issued = record(yield* send("POST", `${pathOf(later)}/issue`))
      assert.deepInclude(issued, { number: "INV-000002", status: "unpaid", amount_due: 100 })
      assert.isNotNull(issued["sealed_at"])
      assert.deepInclude(record(yield* send("POST", `${path}/issue`)), { number: "INV-000003" })
      assert.deepInclude(record(yield* send("POST", `${path}/issue`)), { number: "INV-000003" })
      assert.strictEqual((yield* invoice())["number"], "INV-000004")
      const changes = (yield* events).flatMap(({ data, type }) =>
        type === "invoice.updated" && data["invoice_id"] === made["invoice_id"] ? [data["change"]] : []
      )
      assert.deepStrictEqual(changes, ["issued"])
      assert.deepInclude(countsOf(yield* events), { "invoice.created": 4 })
    })
  )

  it.effect("is removed by DELETE with everything about it, and its trips can be invoiced again", () =>
    Effect.gen(function* () {
      const { draft, invoice, send, trip } = yield* drafted
      const ride = yield* trip({ total_amount: 50 })
      const path = pathOf(yield* draft({ items: [], trip_ids: [ride["trip_id"]] }))
      refusedAs(yield* send("POST", "/invoices", { trip_ids: [ride["trip_id"]] }), 409, "conflict")
      assert.deepStrictEqual(record(yield* send("DELETE", path)), { deleted: true })
      for (const part of ["", "/timeline", "/pdf"])
        refusedAs(yield* send("GET", path + part), 404, "not_found")
      assert.deepInclude(yield* invoice({ trip_ids: [ride["trip_id"]] }), { number: "INV-000001" })
    })
  )

  it.effect("is listed by its status, before the numbered invoices", () =>
    Effect.gen(function* () {
      const { draft, invoice, made, send } = yield* drafted
      yield* invoice()
      const second = yield* draft()
      const ids = (query: string) =>
        Effect.map(send("GET", `/invoices${query}`), (answer) =>
          records(answer).map(({ invoice_id }) => invoice_id)
        )
      assert.deepStrictEqual(yield* ids("?status=draft"), [second["invoice_id"], made["invoice_id"]])
      assert.lengthOf(yield* ids("?status=unpaid"), 1)
      assert.lengthOf(yield* ids("?search=INV"), 1)
      assert.deepStrictEqual((yield* ids("")).slice(0, 2), [second["invoice_id"], made["invoice_id"]])
    })
  )
})

billingPg("drafts that are issued at once", (it) => {
  it.effect("get numbers without a gap, each draft one", () =>
    Effect.gen(function* () {
      const { draft, invoice, send } = yield* drafted
      const drafts = [yield* draft(), yield* draft(), yield* draft()]
      const issues = [...drafts, ...drafts].map((made) => send("POST", `${pathOf(made)}/issue`))
      const raised = [1, 2].map(() => Effect.asVoid(invoice()))
      const [answers] = yield* Effect.all(
        [Effect.all(issues, { concurrency: "unbounded" }), Effect.all(raised, { concurrency: "unbounded" })],
        { concurrency: "unbounded" }
      )
      assertStatuses(answers, [200, 200, 200, 200, 200, 200])
      const numbers = records(yield* send("GET", "/invoices?status=unpaid")).map(({ number }) => number)
      assert.deepStrictEqual(
        numbers,
        [5, 4, 3, 2, 1].map((number) => `INV-00000${number}`)
      )
    })
  )

  it.effect("are issued or removed, if both happen at once", () =>
    Effect.gen(function* () {
      const { draft, send } = yield* drafted
      for (let round = 0; round < 5; round++) {
        const path = pathOf(yield* draft())
        const [issued, removed] = yield* Effect.all([send("POST", `${path}/issue`), send("DELETE", path)], {
          concurrency: "unbounded"
        })
        assert.deepInclude(
          [
            [200, 409],
            [404, 200]
          ],
          [issued.status, removed.status]
        )
      }
    })
  )
})
