import { assert, describe, it } from "@effect/vitest"
import { Authentication, Cryptography, LoginInput, PasswordHasher, Sessions } from "@livery/domain"
import { Deferred, Effect, Fiber, Layer } from "effect"
import { memoryAccounts } from "../support/MemoryAccounts.ts"
import { decoded } from "../support/Decoding.ts"

const settle = Effect.repeat(Effect.yieldNow, { times: 200 })

/** A hasher whose calls wait until they are released. */
const flooded = Effect.gen(function* () {
  const memory = memoryAccounts()
  const reported = yield* Deferred.make<void>()
  const state = { hashing: 0 }
  const slowly = <A>(answer: A) =>
    Effect.andThen(
      Effect.sync(() => void (state.hashing += 1)),
      Effect.as(Deferred.await(reported), answer)
    )
  const Slow = Layer.mock(PasswordHasher)({
    compare: () => slowly({ matches: false, outdated: false }),
    compareDummy: () => slowly(undefined)
  })
  const context = yield* Layer.build(
    Sessions.layer.pipe(
      Layer.provide(Authentication.layer),
      Layer.provide(Slow),
      Layer.provide(Layer.merge(memory.layer, Cryptography.layerWebCrypto))
    )
  )
  const login = (email: string) =>
    Effect.provide(
      Sessions.use((it) => it.login(decoded(LoginInput, { email, password: "wrong", device_name: null }))),
      context
    ).pipe(
      Effect.flip,
      Effect.map(({ _tag }) => _tag)
    )
  return { login, state, release: Deferred.succeed(reported, undefined) }
})

describe("a flood of logins", () => {
  it.effect("runs four at once, lets sixty wait, and refuses the others at once", () =>
    Effect.gen(function* () {
      const { login, release, state } = yield* flooded
      const fibers = yield* Effect.forEach(Array.from({ length: 200 }), (_, index) =>
        Effect.forkChild(login(`somebody${index}@example.com`))
      )
      yield* settle
      assert.strictEqual(state.hashing, 4)
      const turnedAway = fibers.filter((fiber) => fiber.pollUnsafe() !== undefined)
      assert.lengthOf(turnedAway, 136)
      yield* release
      const received = Map.groupBy(yield* Effect.forEach(fibers, (fiber) => Fiber.join(fiber)), (tag) => tag)
      assert.deepStrictEqual(
        [received.get("TooManyRequests")?.length, received.get("InvalidCredentials")?.length],
        [136, 64]
      )
    })
  )
})
