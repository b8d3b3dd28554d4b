// Random sequences of steps on an invoice. After each, the sums equal the ledger, the status follows from the sums, no
// money was created or lost, and each event was sent as often as it happened.
import { NodeCryptography } from "@livery/integrations"
import { Memory } from "@livery/memory"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Schema } from "effect"
import { TestClock } from "effect/testing"
import { TestPersistence } from "../../packages/persistence/test/support/TestPersistence.ts"
import { billingWith, itemsFor, newInvoice, Step } from "./support/Bookkeeping.ts"
import { extent, isFull } from "./support/Extent.ts"

const beginning = TestClock.setTime(Date.parse("2026-11-20T09:30:00Z"))

/** The sequences are the same in every run of the tests, and new ones in each run of `npm run test:faults`. */
const seed = isFull ? undefined : 16

const steps = Schema.Array(Step).check(Schema.isMaxLength(16))

/** Takes the steps one after the other, and checks the invoice after each. */
const inOrder = Effect.fnUntraced(function* (taken: ReadonlyArray<Step>) {
  yield* beginning
  const { consistent, conserved, countOf, deliverAll, entries, step, wasPaidBetween } = yield* newInvoice(
    itemsFor(taken.length * 37)
  )
  let before = yield* consistent
  let paid = 0
  const follow = (work: Effect.Effect<unknown, { readonly _tag: string }>) =>
    Effect.gen(function* () {
      const known = (yield* entries).length
      yield* Effect.ignore(work)
      const after = yield* consistent
      if (before !== "paid" && (after === "paid" || (yield* wasPaidBetween(known)))) paid += 1
      before = after
      assert.strictEqual(countOf("invoice.paid"), paid)
    })
  for (const one of taken) yield* follow(step(one))
  yield* Effect.orDie(deliverAll)
  yield* consistent
  yield* conserved
})

/** Takes the steps in groups of four concurrent ones, and checks the invoice after each group. */
const inGroups = Effect.fnUntraced(function* (taken: ReadonlyArray<Step>) {
  yield* beginning
  const { consistent, conserved, deliverAll, step } = yield* newInvoice(itemsFor(taken.length * 53))
  for (let index = 0; index < taken.length; index += 4) {
    const group = taken.slice(index, index + 4).map((one) => Effect.ignore(step(one)))
    yield* Effect.all(group, { concurrency: "unbounded" })
    yield* consistent
  }
  yield* Effect.orDie(deliverAll)
  yield* consistent
  yield* conserved
})

layer(billingWith().pipe(Layer.provideMerge(Memory.layer)), { timeout: 60_000 })(
  "an invoice in memory",
  (it) => {
    it.effect.prop(
      "keeps its sums through any sequence of steps",
      { steps },
      (given) => inOrder(given.steps),
      {
        arbitrary: { runs: extent(1_000, 60), seed },
        timeout: extent(1_800_000, 120_000)
      }
    )
  }
)

layer(billingWith().pipe(Layer.provideMerge(TestPersistence), Layer.provideMerge(NodeCryptography.layer)), {
  timeout: 60_000
})("an invoice on PostgreSQL", (it) => {
  it.effect.prop("keeps its sums through any sequence of steps", { steps }, (given) => inOrder(given.steps), {
    arbitrary: { runs: extent(200, 10), seed },
    timeout: extent(1_800_000, 120_000)
  })

  it.effect.prop(
    "keeps its sums through any sequence of steps, four of them concurrent",
    { steps },
    (given) => inGroups(given.steps),
    {
      arbitrary: { runs: extent(200, 10), seed },
      timeout: extent(1_800_000, 120_000)
    }
  )
})
