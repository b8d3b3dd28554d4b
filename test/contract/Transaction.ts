/** The contract of `Transaction`. */
import { AuditLog, Transaction } from "@livery/domain"
import { assert } from "@effect/vitest"
import { Cause, Deferred, Effect, Exit, Fiber, Ref } from "effect"
import { atOnce, contract, Records, unique } from "./Contract.ts"

/** A change to observe: how often it is stored. */
const change = Effect.gen(function* () {
  const records = yield* Records
  const audit = yield* AuditLog
  const transaction = yield* Transaction
  const subject = unique("change")
  return {
    transaction,
    make: audit.record({ actor: "test", action: "changed", subject }),
    times: Effect.map(records.audit(subject), (entries) => entries.length)
  }
})

export const transaction = contract("a transaction", (it) => {
  it.effect("that succeeds commits its work and returns its result", () =>
    Effect.gen(function* () {
      const { make, times, transaction } = yield* change
      assert.strictEqual(yield* transaction.run(Effect.as(make, "done")), "done")
      assert.strictEqual(yield* times, 1)
    })
  )

  it.effect("that fails writes nothing, and fails with the same error", () =>
    Effect.gen(function* () {
      const { make, times, transaction } = yield* change
      const failure = yield* Effect.flip(
        transaction.run(Effect.andThen(make, Effect.fail({ _tag: "Refused" as const })))
      )
      assert.deepStrictEqual(failure, { _tag: "Refused" })
      assert.strictEqual(yield* times, 0)
    })
  )

  it.effect("that dies writes nothing, and dies with the same defect", () =>
    Effect.gen(function* () {
      const { make, times, transaction } = yield* change
      const exit = yield* Effect.exit(transaction.run(Effect.andThen(make, Effect.die("bug"))))
      assert.isTrue(Exit.isFailure(exit) && Cause.squash(exit.cause) === "bug")
      assert.strictEqual(yield* times, 0)
    })
  )

  it.effect("that is interrupted writes nothing", () =>
    Effect.gen(function* () {
      const { make, times, transaction } = yield* change
      const made = yield* Deferred.make<void>()
      const fiber = yield* Effect.forkChild(
        transaction.run(
          make.pipe(Effect.andThen(Deferred.succeed(made, undefined)), Effect.andThen(Effect.never))
        )
      )
      yield* Deferred.await(made)
      yield* Fiber.interrupt(fiber)
      const exit = yield* Fiber.await(fiber)
      assert.isTrue(Exit.isFailure(exit) && Cause.hasInterruptsOnly(exit.cause))
      assert.strictEqual(yield* times, 0)
    })
  )

  it.effect("within another is part of it: committed or rolled back with it", () =>
    Effect.gen(function* () {
      const { make, times, transaction } = yield* change
      const both = Effect.andThen(make, transaction.run(make))
      yield* Effect.ignore(transaction.run(Effect.andThen(both, Effect.fail("no"))))
      assert.strictEqual(yield* times, 0)
      yield* transaction.run(both)
      assert.strictEqual(yield* times, 2)
    })
  )

  it.effect("within another that fails and is caught rolls back only its own part", () =>
    Effect.gen(function* () {
      const { make, times, transaction } = yield* change
      yield* transaction.run(
        make.pipe(
          Effect.andThen(Effect.ignore(transaction.run(Effect.andThen(make, Effect.fail("no"))))),
          Effect.andThen(make)
        )
      )
      assert.strictEqual(yield* times, 2)
    })
  )

  it.effect(
    "runs afterCommit once the outermost has committed; at once outside of any; never after a rollback",
    () =>
      Effect.gen(function* () {
        const { make, times, transaction } = yield* change
        const seen = yield* Ref.make<ReadonlyArray<number>>([])
        const note = transaction.afterCommit(
          times.pipe(Effect.flatMap((count) => Ref.update(seen, (all) => [...all, count])))
        )
        yield* Effect.ignore(transaction.run(Effect.andThen(note, Effect.fail("no"))))
        yield* Effect.ignore(transaction.run(Effect.andThen(transaction.run(note), Effect.fail("no"))))
        assert.deepStrictEqual(yield* Ref.get(seen), [])
        yield* transaction.run(
          transaction.run(Effect.andThen(note, make)).pipe(Effect.andThen(make), Effect.andThen(make))
        )
        assert.deepStrictEqual(yield* Ref.get(seen), [3])
        yield* note
        assert.deepStrictEqual(yield* Ref.get(seen), [3, 3])
      })
  )

  it.effect("is isolated from others that run at once", () =>
    Effect.gen(function* () {
      const { make, times, transaction } = yield* change
      const exits = yield* atOnce(40, (index) =>
        Effect.exit(
          transaction.run(Effect.andThen(make, index % 4 === 0 ? Effect.fail("no") : Effect.succeed(index)))
        )
      )
      assert.lengthOf(exits.filter(Exit.isSuccess), 30)
      assert.strictEqual(yield* times, 30)
    })
  )
})
