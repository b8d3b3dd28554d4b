import { assert, describe, it } from "@effect/vitest"
import { FareEstimates, TariffRepository } from "@livery/domain"
import { Memory, Store } from "@livery/memory"
import { DateTime, Deferred, Effect, Exit, Fiber, Layer } from "effect"
import { addBusiness } from "../support/Businesses.ts"
import { business } from "../support/People.ts"
import { tariff } from "./Tariffs.ts"

const { business_id } = business(1)

/** A stored tariff, and the estimates, whose reads of it go through `read`. */
const stored = Effect.gen(function* () {
  addBusiness(yield* Store, 1)
  const tariffs = yield* TariffRepository
  const { tariff_id, version } = yield* tariffs.insert(
    business_id,
    { content: tariff({}), valid_from: null },
    DateTime.makeUnsafe(0)
  )
  const state = { reads: 0, before: Effect.void }
  const observed = TariffRepository.of({
    ...tariffs,
    content: (businessId, of) =>
      Effect.suspend(() => {
        state.reads += 1
        return Effect.andThen(state.before, tariffs.content(businessId, of))
      })
  })
  const context = yield* Layer.build(
    FareEstimates.layer.pipe(Layer.provide(Layer.succeed(TariffRepository, observed)))
  )
  const estimates = yield* Effect.provide(FareEstimates, context)
  return { state, read: estimates.tariff(business_id, { tariff_id, version }) }
}).pipe(Effect.provide(Memory.layer))

const away = Effect.die(new Error("the database is away"))

describe("a version of a tariff", () => {
  it.effect("is read once, however often it prices a trip", () =>
    Effect.gen(function* () {
      const { read, state } = yield* stored
      assert.strictEqual(yield* read, yield* read)
      assert.strictEqual(state.reads, 1)
    })
  )

  it.effect("is read again after it could not be read", () =>
    Effect.gen(function* () {
      const { read, state } = yield* stored
      state.before = away
      for (const _ of [1, 2]) assert.isTrue(Exit.hasDies(yield* Effect.exit(read)))
      state.before = Effect.void
      assert.strictEqual((yield* read).version, 1)
    })
  )

  it.effect("is read by each caller in its own transaction, so that one that fails affects no other", () =>
    Effect.gen(function* () {
      const { read, state } = yield* stored
      const [begun, fails] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      state.before = Deferred.succeed(begun, undefined).pipe(
        Effect.andThen(Deferred.await(fails)),
        Effect.andThen(away)
      )
      const failing = yield* Effect.forkChild(Effect.exit(read))
      yield* Deferred.await(begun)
      state.before = Effect.void
      const other = yield* Effect.forkChild(read)
      yield* Deferred.succeed(fails, undefined)
      assert.isTrue(Exit.hasDies(yield* Fiber.join(failing)))
      assert.strictEqual((yield* Fiber.join(other)).version, 1)
    })
  )
})
