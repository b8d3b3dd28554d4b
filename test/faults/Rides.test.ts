// Random sequences of steps on bookings, their trips and their invoices: bookings that are paid before they are confirmed,
// trips that are detached, attached, cancelled and deleted, invoices that are changed, void and credited. After each, at most
// one invoice charges a ride, every sum equals its ledger, and no money was created or lost.
import { NodeCryptography } from "@livery/integrations"
import { Memory } from "@livery/memory"
import { layer } from "@effect/vitest"
import { Effect, Layer, Schema } from "effect"
import { TestClock } from "effect/testing"
import { TestPersistence } from "../../packages/persistence/test/support/TestPersistence.ts"
import { extent, isFull } from "./support/Extent.ts"
import { makeRideChecks } from "./support/RideChecks.ts"
import { newRideBusiness, RideStep, sales } from "./support/RideSales.ts"

/** The sequences are the same in every run of the tests, and new ones in each run of `npm run test:faults`. */
const seed = isFull ? undefined : 16

const steps = Schema.Array(RideStep).check(Schema.isMinLength(20), Schema.isMaxLength(40))

/** Takes the steps in groups of concurrent ones, and checks the business after each group. */
const inGroupsOf = (size: number) =>
  Effect.fnUntraced(function* (given: ReadonlyArray<RideStep>) {
    yield* TestClock.setTime(Date.parse("2026-11-20T09:30:00Z"))
    const business = yield* newRideBusiness
    const { consistent, conserved } = yield* makeRideChecks(business)
    const taken: ReadonlyArray<RideStep> = [["book", 0], ...given]
    for (let index = 0; index < taken.length; index += size) {
      const group = taken.slice(index, index + size).map((one) => Effect.ignore(business.step(one)))
      yield* Effect.all(group, { concurrency: "unbounded" })
      yield* consistent
    }
    yield* Effect.orDie(business.deliverAll)
    yield* consistent
    yield* conserved
  })

const timeout = extent(1_800_000, 120_000)

layer(sales.pipe(Layer.provideMerge(Memory.layer)), { timeout: 60_000 })("rides in memory", (it) => {
  it.effect.prop(
    "are charged once through any sequence of steps",
    { steps },
    (given) => inGroupsOf(1)(given.steps),
    { arbitrary: { runs: extent(1_000, 60), seed }, timeout }
  )
})

layer(sales.pipe(Layer.provideMerge(TestPersistence), Layer.provideMerge(NodeCryptography.layer)), {
  timeout: 60_000
})("rides on PostgreSQL", (it) => {
  it.effect.prop(
    "are charged once through any sequence of steps",
    { steps },
    (given) => inGroupsOf(1)(given.steps),
    { arbitrary: { runs: extent(200, 8), seed }, timeout }
  )

  it.effect.prop(
    "are charged once through any sequence of steps, four of them concurrent",
    { steps },
    (given) => inGroupsOf(4)(given.steps),
    { arbitrary: { runs: extent(200, 8), seed }, timeout }
  )
})
