import { lookup } from "node:dns/promises"
import { noPassword, PasswordHasher } from "@livery/domain"
import { assert, describe, it, layer } from "@effect/vitest"
import { Argon2PasswordHasher } from "@livery/integrations"
import argon2 from "@node-rs/argon2"
import { Effect, Exit, Fiber, Redacted } from "effect"
import { vi } from "vitest"

const password = Redacted.make("correct horse battery staple")
const wrongPassword = Redacted.make("correct horse battery stapler")

const made = (costs: { memoryCost?: number; timeCost?: number; parallelism?: number; outputLen?: number }) =>
  Effect.promise(() =>
    argon2.hash(Redacted.value(password), { memoryCost: 19_456, timeCost: 2, parallelism: 1, ...costs })
  )

layer(Argon2PasswordHasher.layer(), { excludeTestServices: true })("Argon2PasswordHasher", (it) => {
  it.effect("creates argon2id hashes of m=19456, t=2, p=1, each with its own salt", () =>
    Effect.gen(function* () {
      const { hash } = yield* PasswordHasher
      const [one, other] = [yield* hash(password), yield* hash(password)]
      const [, variant, version, costs = "", salt, digest] = one.split("$")
      assert.deepStrictEqual([variant, version], ["argon2id", "v=19"])
      assert.sameMembers(costs.split(","), ["m=19456", "t=2", "p=1"])
      assert.deepStrictEqual([salt?.length, digest?.length], [22, 43])
      assert.notStrictEqual(one, other)
    })
  )

  it.effect("matches the password that made the hash and no other", () =>
    Effect.gen(function* () {
      const { hash, compare } = yield* PasswordHasher
      const encoded = yield* hash(password)
      assert.deepStrictEqual(yield* compare(password, encoded), { matches: true, outdated: false })
      assert.deepStrictEqual(yield* compare(wrongPassword, encoded), { matches: false, outdated: false })
    })
  )

  it.effect("hashes a password of 256 characters whole", () =>
    Effect.gen(function* () {
      const { hash, compare } = yield* PasswordHasher
      const long = "🚕".repeat(255)
      const encoded = yield* hash(Redacted.make(`${long}a`))
      assert.isTrue((yield* compare(Redacted.make(`${long}a`), encoded)).matches)
      assert.isFalse((yield* compare(Redacted.make(`${long}b`), encoded)).matches)
    })
  )

  it.effect("reports a hash as outdated if any of its parameters is weaker than the current ones", () =>
    Effect.gen(function* () {
      const { compare } = yield* PasswordHasher
      const argon2i = yield* Effect.promise(() =>
        argon2.hash(Redacted.value(password), {
          algorithm: argon2.Algorithm.Argon2i,
          memoryCost: 19_456,
          timeCost: 2,
          parallelism: 1
        })
      )
      const weak = [
        yield* made({ memoryCost: 19_455 }),
        yield* made({ timeCost: 1, memoryCost: 47_104 }),
        yield* made({ outputLen: 16 }),
        argon2i
      ]
      for (const encoded of weak) {
        assert.deepStrictEqual(yield* compare(password, encoded), { matches: true, outdated: true }, encoded)
      }
      const strong = [
        yield* made({}),
        yield* made({ timeCost: 3 }),
        yield* made({ parallelism: 4, memoryCost: 65_536 })
      ]
      for (const encoded of strong) {
        assert.deepStrictEqual(yield* compare(password, encoded), { matches: true, outdated: false }, encoded)
      }
    })
  )

  it.effect("matches no password with a malformed hash", () =>
    Effect.gen(function* () {
      const { hash, compare } = yield* PasswordHasher
      const good = yield* hash(password)
      const malformed = [
        "",
        noPassword,
        "$",
        "$argon2id$",
        "$2b$12$abcdefghijklmnopqrstuuu5Lo0g67CiD3M4RpN1BmBb4Crp5w7dbK",
        good.slice(0, -30),
        `${good}$extra`,
        good.replace("argon2id", "argon2x"),
        good.replace("m=19456", "m=1"),
        good.replace("m=19456", "m=99999999999"),
        good.replace("m=19456", "m=NaN"),
        good.replace("t=2", "t=0"),
        good.replace("p=1", "p=-1"),
        good.replace("m=19456", "m=19456,m=19456"),
        good.replace("m=19456,", "")
      ]
      for (const encoded of malformed) {
        assert.deepStrictEqual(
          yield* compare(password, encoded),
          { matches: false, outdated: false },
          encoded
        )
      }
    })
  )

  it.effect("does the same work with a dummy and with a malformed hash as with a wrong password", () =>
    Effect.gen(function* () {
      const { hash, compare, compareDummy } = yield* PasswordHasher
      const encoded = yield* hash(password)
      const verify = vi.spyOn(argon2, "verify")
      /** The costs and the lengths of the hashes that an effect verifies. */
      const workOf = Effect.fnUntraced(function* (effect: Effect.Effect<unknown, unknown>) {
        verify.mockClear()
        yield* effect
        return verify.mock.calls.map(([verified]) => {
          const [, variant, version, costs, salt, digest] = String(verified).split("$")
          return [variant, version, costs?.split(",").toSorted(), salt?.length, digest?.length]
        })
      })
      const real = yield* workOf(compare(wrongPassword, encoded))
      assert.lengthOf(real, 1)
      for (const effect of [compareDummy(wrongPassword), compare(wrongPassword, noPassword)])
        assert.deepStrictEqual(yield* workOf(effect), real)
      verify.mockRestore()
    })
  )
})

describe("Argon2PasswordHasher under a flood", () => {
  const flood = Effect.fnUntraced(function* (count: number) {
    const { compareDummy } = yield* PasswordHasher
    return yield* Effect.forEach(Array.from({ length: count }), () => Effect.exit(compareDummy(password)), {
      concurrency: "unbounded"
    })
  })

  it.live("serves as many as the bounds allow, and refuses the rest of 200 at once", () =>
    Effect.gen(function* () {
      const exits = yield* flood(200)
      assert.strictEqual(exits.filter(Exit.isSuccess).length, 2 + 60)
      const refused = yield* Effect.flip(exits[199] ?? Effect.die("no exit"))
      assert.strictEqual(refused._tag, "TooManyRequests")
      assert.strictEqual(refused.retryAfterSeconds, 1)
    }).pipe(Effect.provide(Argon2PasswordHasher.layer()))
  )

  it.live("leaves threads to others: a name is looked up before the hashes that were asked for earlier", () =>
    Effect.gen(function* () {
      const flooding = yield* Effect.forkChild(flood(200))
      yield* Effect.yieldNow
      yield* Effect.promise(() => lookup("localhost"))
      assert.isUndefined(flooding.pollUnsafe())
      yield* Fiber.interrupt(flooding)
    }).pipe(Effect.provide(Argon2PasswordHasher.layer()))
  )

  it.live("keeps the place of an interrupted hash until it ends", () =>
    Effect.gen(function* () {
      const { hash, compareDummy } = yield* PasswordHasher
      const fiber = yield* Effect.forkChild(hash(password))
      yield* Effect.yieldNow
      const interrupting = yield* Effect.forkChild(Fiber.interrupt(fiber))
      yield* Effect.yieldNow
      assert.strictEqual((yield* Effect.flip(compareDummy(password)))._tag, "TooManyRequests")
      yield* Fiber.join(interrupting)
      yield* compareDummy(password)
    }).pipe(Effect.provide(Argon2PasswordHasher.layer({ concurrency: 1, waiting: 0 })))
  )
})
