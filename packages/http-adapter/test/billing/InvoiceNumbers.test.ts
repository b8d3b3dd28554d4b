// The numbers that a business chooses for its invoices and credit notes.
import { assert } from "@effect/vitest"
import { DateTime, Effect } from "effect"
import { TestClock } from "effect/testing"
import { openServer, record, records } from "../support/TestServer.ts"
import { biller, billing, line, wrongFields } from "./Billing.ts"

const given = Effect.gen(function* () {
  yield* TestClock.setTime(DateTime.toEpochMillis(DateTime.makeUnsafe("2026-12-31T12:00:00Z")))
  const owner = yield* biller(yield* openServer())
  const change = (body: object) => owner.send("PATCH", "/settings/invoice-numbers", body)
  const drawn = Effect.map(owner.invoice({ items: [line] }), ({ number }) => number)
  return { ...owner, change, drawn }
})

billing("the numbers of invoices", (it) => {
  it.effect("they have the format and the first count of the business; earlier invoices keep theirs", () =>
    Effect.gen(function* () {
      const { change, drawn, send } = yield* given
      assert.deepStrictEqual(record(yield* send("GET", "/settings/invoice-numbers")), {
        format: "INV-{N:6}",
        restarts_each_year: false,
        next_number: 1,
        next: "INV-000001"
      })
      assert.strictEqual(yield* drawn, "INV-000001")
      const changed = { format: "RE-{YYYY}-{N:5}", restarts_each_year: false, next_number: 248 }
      assert.deepStrictEqual(record(yield* change(changed)), { ...changed, next: "RE-2026-00248" })
      assert.strictEqual(yield* drawn, "RE-2026-00248")
      const found = yield* send("GET", "/invoices?search=re-2026-")
      assert.deepStrictEqual(
        records(found).map(({ number }) => number),
        ["RE-2026-00248"]
      )
      assert.deepStrictEqual(
        records(yield* send("GET", "/invoices")).map(({ number }) => number),
        ["RE-2026-00248", "INV-000001"]
      )
    })
  )

  it.effect("the count restarts with the year of issue if the business says so, and goes on otherwise", () =>
    Effect.gen(function* () {
      const { change, drawn, invoice, send } = yield* given
      record(yield* change({ format: "{YYYY}-{N}", restarts_each_year: true, next_number: 7 }))
      assert.strictEqual(yield* drawn, "2026-7")
      const draft = yield* invoice({ items: [line], draft: true })
      yield* TestClock.adjust("1 day")
      assert.strictEqual(yield* drawn, "2027-1")
      const issued = record(yield* send("POST", `/invoices/${String(draft["invoice_id"])}/issue`))
      assert.deepInclude(issued, { number: "2027-2", issued_on: "2027-01-01" })
      const ofLastYear = yield* invoice({ items: [line], issued_on: "2026-12-31" })
      assert.strictEqual(ofLastYear["number"], "2026-8")
      record(yield* change({ restarts_each_year: false }))
      assert.strictEqual(yield* drawn, "2027-9")
    })
  )

  it.effect(
    "a count that was passed and a wrong format are refused, each by its name, and change nothing",
    () =>
      Effect.gen(function* () {
        const { change, drawn, send } = yield* given
        yield* drawn
        const refused: ReadonlyArray<readonly [object, Record<string, string>]> = [
          [{ next_number: 1 }, { next_number: "out_of_range" }],
          [
            { next_number: 1, restarts_each_year: true },
            { restarts_each_year: "invalid", next_number: "out_of_range" }
          ],
          [
            { next_number: 0, format: "" },
            { format: "invalid", next_number: "out_of_range" }
          ],
          ...["RE-", "re-{N}", "{N}-RE", "RE{YYYY}{N}", "RE1{N}", "RE-{N:0}", "{N}", "RE/{N}"].map(
            (format) => [{ format }, { format: "invalid" }] as const
          )
        ]
        for (const [body, fields] of refused) assert.deepStrictEqual(wrongFields(yield* change(body)), fields)
        assert.deepInclude(record(yield* send("GET", "/settings/invoice-numbers")), { next: "INV-000002" })
        assert.strictEqual(yield* drawn, "INV-000002")
      })
  )
})

billing("the numbers of credit notes", (it) => {
  it.effect("have a format and a count of their own, with the year on the business's clock", () =>
    Effect.gen(function* () {
      const { change, invoice, send } = yield* given
      record(yield* send("PATCH", "/settings/business", { timezone: "Europe/Berlin" }))
      const path = "/settings/credit-note-numbers"
      assert.deepInclude(record(yield* send("GET", path)), { format: "CN-{N:6}", next: "CN-000001" })
      record(yield* change({ format: "RE-{YYYY}-{N}" }))
      const wanted = { format: "GS-{YYYY}-{N:4}", restarts_each_year: true, next_number: 31 }
      assert.deepInclude(record(yield* send("PATCH", path, wanted)), { next: "GS-2026-0031" })
      const credited = Effect.gen(function* () {
        const { invoice_id } = yield* invoice({ items: [line] })
        record(yield* send("POST", `/invoices/${String(invoice_id)}/issue`))
        return record(
          yield* send("POST", `/invoices/${String(invoice_id)}/credit-notes`, { reason: "price" })
        )
      })
      assert.deepInclude(yield* credited, { number: "GS-2026-0031" })
      // Already the next year in Berlin, not yet in UTC.
      yield* TestClock.adjust("690 minutes")
      const note = yield* credited
      assert.deepInclude(note, { number: "GS-2027-0001" })
      const paths = `/invoices/${String(note["invoice_id"])}/credit-notes`
      assert.deepStrictEqual(
        records(yield* send("GET", paths)).map(({ number }) => number),
        ["GS-2027-0001"]
      )
    })
  )

  it.effect("are refused where only the count would tell them from the numbers of invoices", () =>
    Effect.gen(function* () {
      const { change, send } = yield* given
      const path = "/settings/credit-note-numbers"
      assert.deepStrictEqual(wrongFields(yield* send("PATCH", path, { format: "INV-{N:3}" })), {
        format: "invalid"
      })
      assert.deepStrictEqual(wrongFields(yield* change({ format: "CN-{N}" })), { format: "invalid" })
      assert.deepInclude(record(yield* send("GET", path)), { next: "CN-000001" })
    })
  )
})
