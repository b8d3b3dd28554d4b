/** The contract of `LetterRepository`. */
import { BusinessRepository, InvoiceRepository, LetterRepository, type LetterSubject } from "@livery/domain"
import { assert } from "@effect/vitest"
import { Effect, Option } from "effect"
import { at, contract } from "./Contract.ts"
import { newBusiness, now, wholeList } from "./Given.ts"
import { invoiceDraft } from "./InvoiceDraft.ts"

const failure = (letter: LetterSubject) => ({
  ...letter,
  attempts: 28,
  reason: "no connection to the mail server",
  posted_at: now,
  failed_at: at("11:00:00")
})

/** A business with an invoice, what became of its email, and the credits of the business. */
const given = Effect.gen(function* () {
  const business = yield* newBusiness
  const invoices = yield* InvoiceRepository
  const { invoice_id, number } = yield* invoices.insert(
    invoiceDraft(business, { email_status: "queued" }),
    now
  )
  const letters = yield* LetterRepository
  const email = Effect.map(invoices.find(business, invoice_id), (found) => {
    const { email_failed_at, email_status } = Option.getOrThrow(found)
    return [email_status, email_failed_at]
  })
  const businesses = yield* BusinessRepository
  const credits = Effect.map(businesses.find(business), (found) => Option.getOrThrow(found).email_credits)
  return { business, credits, email, letter: { kind: "invoice", reference: number } as const, letters }
})

export const letterRepository = contract("the letters to customers", (it) => {
  it.effect("say on the invoice that its email was sent, and nothing for another letter", () =>
    Effect.gen(function* () {
      const { business, email, letter, letters } = yield* given
      yield* letters.sent(yield* newBusiness, letter)
      yield* letters.sent(business, { ...letter, kind: "reminder" })
      assert.deepStrictEqual(yield* email, ["queued", null])
      yield* letters.sent(business, letter)
      assert.deepStrictEqual(yield* email, ["sent", null])
    })
  )

  it.effect("are listed once they are given up, the latest first, and give their credit back", () =>
    Effect.gen(function* () {
      const { business, credits, email, letter, letters } = yield* given
      const before = yield* credits
      yield* letters.failed(business, failure({ kind: "quote_sent", reference: "Q-1" }))
      assert.deepStrictEqual(yield* email, ["queued", null])
      yield* letters.failed(business, failure(letter))
      assert.deepStrictEqual(yield* email, ["failed", at("11:00:00")])
      assert.strictEqual(yield* credits, before + 2)
      const { items, total } = yield* letters.failures(business, wholeList)
      assert.deepStrictEqual(
        items.map(({ letter_id: _id, ...stored }) => stored),
        [failure(letter), failure({ kind: "quote_sent", reference: "Q-1" })]
      )
      assert.strictEqual(total, 2)
      assert.deepStrictEqual((yield* letters.failures(yield* newBusiness, wholeList)).items, [])
      yield* letters.sent(business, letter)
      assert.deepStrictEqual(yield* email, ["sent", null])
    })
  )
})
