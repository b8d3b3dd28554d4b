/** The contract of `CardIntentRepository`. */
import { CardIntentRepository, InvoiceRepository, Transaction } from "@livery/domain"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { at, atOnce, contract, unique } from "./Contract.ts"
import { newBusiness, now } from "./Given.ts"
import { invoiceDraft } from "./InvoiceDraft.ts"

/** A new business with an invoice, and an intent for it. */
const given = Effect.gen(function* () {
  const business_id = yield* newBusiness
  const invoices = yield* InvoiceRepository
  const { invoice_id } = yield* invoices.insert(invoiceDraft(business_id), now)
  const intent = (amount_minor: number) => ({
    business_id,
    invoice_id,
    intent_id: unique("pi"),
    amount_minor
  })
  return { business_id, intent, intents: yield* CardIntentRepository, invoice_id }
})

export const cardIntentRepository = contract("card intents", (it) => {
  it.effect("are open until they end, and are counted by amount afterwards", () =>
    Effect.gen(function* () {
      const { business_id, intent, intents, invoice_id } = yield* given
      const [one, two] = [intent(100), intent(100)]
      for (const added of [one, two, one]) yield* intents.add(added, now)
      assert.sameDeepMembers([...(yield* intents.open(business_id, invoice_id))], [one, two])
      assert.deepStrictEqual(yield* intents.open(yield* newBusiness, invoice_id), [])
      for (const ended of [one.intent_id, one.intent_id, "unknown"])
        yield* intents.end(business_id, ended, now)
      assert.deepStrictEqual(yield* intents.open(business_id, invoice_id), [two])
      assert.strictEqual(yield* intents.ended(business_id, invoice_id, 100), 1)
      assert.strictEqual(yield* intents.ended(business_id, invoice_id, 99), 0)
    })
  )

  it.effect("that are open are listed for all businesses, from a time on, in pages", () =>
    Effect.gen(function* () {
      const [first, second] = [yield* given, yield* given]
      const { intents } = first
      const [old, one, ended, two] = [first.intent(1), first.intent(2), first.intent(3), second.intent(4)]
      yield* intents.add(old, at("09:29:59"))
      for (const intent of [one, ended, two]) yield* intents.add(intent, now)
      yield* intents.end(ended.business_id, ended.intent_id, now)
      const start = [first.business_id, ""] as const
      assert.deepStrictEqual(yield* intents.openOfAll(now, start, 10), [one, two])
      assert.deepStrictEqual(yield* intents.openOfAll(now, start, 1), [one])
      assert.deepStrictEqual(yield* intents.openOfAll(now, [one.business_id, one.intent_id], 10), [two])
      assert.lengthOf(yield* intents.openOfAll(at("09:29:59"), start, 10), 3)
      assert.isAtLeast((yield* intents.openOfAll(now, null, 100)).length, 2)
    })
  )

  it.effect("count the spent attempts of each change of their invoice, each one once, and never back", () =>
    Effect.gen(function* () {
      const { business_id, intents, invoice_id } = yield* given
      const spent = intents.spentAttempts(business_id, invoice_id, "intent")
      const spend = (number: number) => intents.spendAttempt(business_id, invoice_id, "intent", number)
      assert.strictEqual(yield* spent, 0)
      yield* atOnce(3, () => spend(0))
      assert.strictEqual(yield* spent, 1)
      yield* spend(0)
      yield* spend(1)
      assert.strictEqual(yield* spent, 2)
      yield* spend(6)
      yield* spend(3)
      assert.strictEqual(yield* spent, 7)
      assert.strictEqual(yield* intents.spentAttempts(business_id, invoice_id, "7/10000/4000"), 0)
      assert.strictEqual(yield* intents.spentAttempts(yield* newBusiness, invoice_id, "intent"), 0)
    })
  )

  it.effect("keep the references of refunds of their invoice", () =>
    Effect.gen(function* () {
      const { business_id, intents, invoice_id } = yield* given
      const other = yield* given
      const name = `${business_id}/7/10000/4000`
      const reference = intents.referenceOf(business_id, invoice_id, name)
      assert.isNull(yield* reference)
      yield* intents.keepReference(business_id, invoice_id, name, "Delay")
      yield* intents.keepReference(business_id, invoice_id, name, "Late pickup, 3 May")
      yield* intents.keepReference(other.business_id, invoice_id, name, "another business")
      assert.strictEqual(yield* reference, "Late pickup, 3 May")
      assert.isNull(yield* intents.referenceOf(business_id, invoice_id, `${business_id}/7/6000/4000`))
      assert.isNull(yield* intents.referenceOf(other.business_id, other.invoice_id, name))
    })
  )

  it.effect("know whether a notice is the first of its event, also at once", () =>
    Effect.gen(function* () {
      const { business_id, intents } = yield* given
      const transaction = yield* Transaction
      const event = unique("evt")
      const first = yield* atOnce(5, () => transaction.run(intents.recordNotice(business_id, event, now)))
      assert.deepStrictEqual(
        first.filter((isFirst) => isFirst),
        [true]
      )
      assert.isTrue(yield* intents.recordNotice(yield* newBusiness, event, now))
    })
  )
})
