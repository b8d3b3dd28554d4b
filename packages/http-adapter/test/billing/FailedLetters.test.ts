import { BusinessId, LetterRepository } from "@livery/domain"
import { assert } from "@effect/vitest"
import { DateTime, Effect } from "effect"
import { openServer, record, records } from "../support/TestServer.ts"
import { billing } from "./Billing.ts"
import { invoicePrinter, pathOf } from "./InvoicePrinting.ts"

billing("a letter that could not be delivered", (it) => {
  it.effect("is listed, its invoice says so, and the credit comes back", () =>
    Effect.gen(function* () {
      const { businessId, creditsLeft, invoice, read, send } = yield* invoicePrinter(yield* openServer(), 2)
      const made = yield* invoice()
      record(yield* send("POST", `${pathOf(made)}/email`, {}))
      assert.deepStrictEqual(records(yield* send("GET", "/letters/failed")), [])
      assert.strictEqual(yield* creditsLeft, 1)
      const now = yield* DateTime.now
      yield* (yield* LetterRepository).failed(BusinessId.make(businessId), {
        kind: "invoice",
        reference: String(made["number"]),
        attempts: 28,
        reason: "no connection to the mail server",
        posted_at: now,
        failed_at: now
      })
      const [letter, ...others] = records(yield* send("GET", "/letters/failed"))
      assert.deepInclude(letter, { kind: "invoice", reference: "INV-000001", attempts: 28 })
      assert.lengthOf(others, 0)
      assert.deepInclude(yield* read(made["invoice_id"]), {
        email_status: "failed",
        email_failed_at: "2026-11-20T09:30:00Z"
      })
      assert.strictEqual(yield* creditsLeft, 2)
    })
  )
})
