import { assert, it } from "@effect/vitest"
import { Conflict, Transaction, type TripId } from "@livery/domain"
import { Memory } from "@livery/memory"
import { Effect, Layer, Option } from "effect"
import { makeDeletion } from "../../src/trips/trip/Deletion.ts"
import { observed } from "../support/Observed.ts"
import { business } from "../support/People.ts"

const deletionOfRecord = (trips: number, exists = true) =>
  Effect.gen(function* () {
    const { calls, observing, Transactions } = observed()
    const observedAnswer = <A>(what: string, answer: A) => observing(what, Effect.succeed(answer))
    const open = Array.from({ length: trips }, (_, index) => (index + 1) as TripId)
    const transaction = yield* Effect.provide(Transaction, Transactions.pipe(Layer.provide(Memory.layer)))
    const remove = makeDeletion(transaction, {
      resource: "car",
      record: (name: string) => ({ name }),
      lockForDelete: (_acting, _id: number) =>
        observedAnswer("lock", exists ? Option.some("Black") : Option.none()),
      openTrips: () => observedAnswer("openTrips", open),
      detach: () => observedAnswer("detach", undefined),
      remove: () => observedAnswer("remove", undefined)
    })
    return { calls, remove: (terms?: Parameters<typeof remove>[2]) => remove(business(1), 1, terms) }
  })

it.effect("a deletion locks the record before it reads trips, in one transaction", () =>
  Effect.gen(function* () {
    const { calls, remove } = yield* deletionOfRecord(0)
    assert.deepStrictEqual(yield* remove(), { name: "Black" })
    assert.deepStrictEqual(calls, ["lock inside", "openTrips inside", "remove inside"])
  })
)

it.effect(
  "a deletion with open trips needs a confirmation that names 20 of them; with `force`, it detaches them first",
  () =>
    Effect.gen(function* () {
      const { calls, remove } = yield* deletionOfRecord(25)
      const refusal = yield* Effect.flip(remove())
      assert.strictEqual(refusal._tag, "ConfirmationRequired")
      if (refusal._tag === "ConfirmationRequired") {
        assert.match(refusal.message, /^25 open trips have this car/u)
        assert.lengthOf(refusal.atStake, 20)
        assert.deepStrictEqual<unknown>(refusal.atStake[0], { trip_id: 1 })
      }
      assert.deepStrictEqual(calls.splice(0), ["lock inside", "openTrips inside"])
      yield* remove({ force: true })
      assert.deepStrictEqual(calls, ["lock inside", "openTrips inside", "detach inside", "remove inside"])
    })
)

it.effect(
  "an absent record is not found, and a stale one is a conflict before any confirmation is required",
  () =>
    Effect.gen(function* () {
      const absent = yield* deletionOfRecord(0, false)
      assert.strictEqual((yield* Effect.flip(absent.remove({ force: true })))._tag, "NotFound")
      const { calls, remove } = yield* deletionOfRecord(1)
      const stale = remove({ precondition: () => Effect.fail(new Conflict({ reason: "stale" })) })
      assert.strictEqual((yield* Effect.flip(stale))._tag, "Conflict")
      assert.deepStrictEqual(calls, ["lock inside"])
    })
)
