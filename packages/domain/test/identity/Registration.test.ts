import { assert, describe, it } from "@effect/vitest"
import {
  Businesses,
  Cryptography,
  Registration,
  RegistrationInput,
  type RegistrationResult
} from "@livery/domain"
import { Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { memoryAccounts } from "../support/MemoryAccounts.ts"
import { decoded } from "../support/Decoding.ts"

const input = (change: object = {}) =>
  decoded(RegistrationInput, {
    name: "Zoë",
    email: "Zoe@Example.com",
    password: "correct horse",
    business_name: "Acme Limousines",
    website_url: "https://acme.example",
    ...change
  })

const registration = Effect.gen(function* () {
  const memory = memoryAccounts()
  const cryptography = Cryptography.layerWebCrypto
  const services = Layer.mergeAll(
    Registration.layer.pipe(
      Layer.provide(Businesses.layer),
      Layer.provide(Layer.merge(memory.layer, cryptography))
    ),
    cryptography
  )
  const context = yield* Layer.build(services)
  const run = <A, E>(effect: Effect.Effect<A, E, Registration | Cryptography>) =>
    Effect.provide(effect, context)
  return {
    ...memory,
    register: (change?: object) => run(Registration.use((it) => it.register(input(change)))),
    resend: (email: string) => run(Registration.use((it) => it.resend(email))),
    verify: (code: string) => run(Registration.use((it) => it.verifyEmail(code))),
    digest: (text: string) => run(Cryptography.use((it) => it.sha256(text))),
    codeIn: (message: number) => /^ {4}(\S+)$/mu.exec(memory.stored.messages[message]?.text ?? "")?.[1] ?? ""
  }
})

describe("register", () => {
  it.effect("stores an unverified admin, a business on the free plan, a code and its message", () =>
    Effect.gen(function* () {
      const { codeIn, digest, register, stored } = yield* registration
      const result: RegistrationResult = yield* register()
      assert.deepInclude(result, { user_id: 1, business_id: 1, verification_required: true })
      assert.deepInclude(stored.accounts[0]?.user, {
        email: "zoe@example.com",
        account_type: "A",
        email_verified: false
      })
      assert.deepStrictEqual(stored.businesses, [
        {
          name: "Acme Limousines",
          email: "zoe@example.com",
          slug: "acme-limousines",
          planId: 1,
          websiteUrl: "https://acme.example"
        }
      ])
      assert.deepStrictEqual<unknown>(stored.members, [[1, 1]])
      assert.strictEqual(stored.messages[0]?.to, "zoe@example.com")
      assert.match(codeIn(0), /^(?:[0-9A-HJKMNP-TV-Z]{4}-){3}[0-9A-HJKMNP-TV-Z]{4}$/u)
      assert.strictEqual(stored.codes[0]?.codeHash, yield* digest(codeIn(0).replaceAll("-", "")))
    })
  )

  it.effect("stores the password only as a hash, and the code only in the message", () =>
    Effect.gen(function* () {
      const { codeIn, register, stored } = yield* registration
      const answer = JSON.stringify(yield* register())
      const kept = JSON.stringify({ ...stored, messages: [] })
      for (const secret of ["correct horse", codeIn(0), codeIn(0).replaceAll("-", "")]) {
        assert.notInclude(kept, secret)
        assert.notInclude(answer, secret)
      }
    })
  )

  it.effect("hashes before the transaction, and writes everything inside it", () =>
    Effect.gen(function* () {
      const { calls, register, transaction } = yield* registration
      yield* register()
      assert.deepStrictEqual(calls, [
        "hash outside",
        "user inside",
        "audit inside",
        "business inside",
        "member inside",
        "audit inside",
        "code inside",
        "message inside"
      ])
      assert.strictEqual(transaction.committed, 1)
    })
  )

  it.effect("a taken email is refused before anything else is written, in any case", () =>
    Effect.gen(function* () {
      const { register, stored, transaction } = yield* registration
      yield* register()
      const refusal = yield* Effect.flip(register({ email: " ZOE@example.com", business_name: "Other" }))
      assert.strictEqual(refusal._tag, "EmailExists")
      assert.deepStrictEqual(
        [stored.accounts.length, stored.businesses.length, stored.messages.length, transaction.committed],
        [1, 1, 1, 1]
      )
    })
  )

  it.effect("a busy hasher refuses, and nothing is written", () =>
    Effect.gen(function* () {
      const { calls, hasher, register } = yield* registration
      hasher.busy = true
      assert.strictEqual((yield* Effect.flip(register()))._tag, "TooManyRequests")
      assert.deepStrictEqual(calls, ["hash outside"])
    })
  )

  it.effect("a taken slug gets a random suffix", () =>
    Effect.gen(function* () {
      const { register, stored } = yield* registration
      for (const name of ["a", "b", "c"]) yield* register({ email: `${name}@example.com` })
      const slugs = stored.businesses.map(({ slug }) => slug)
      assert.strictEqual(slugs[0], "acme-limousines")
      for (const slug of slugs.slice(1)) assert.match(slug, /^acme-limousines-[0-9a-hjkmnp-tv-z]{6}$/u)
      assert.strictEqual(new Set(slugs).size, 3)
    })
  )
})

describe("verifyEmail", () => {
  const nothing = { verified: false, email: null }

  it.effect("a code verifies its email once, however it is typed", () =>
    Effect.gen(function* () {
      const { codeIn, register, stored, verify } = yield* registration
      yield* register()
      const typed = ` ${codeIn(0).toLowerCase().replaceAll("-", " ").replaceAll("0", "o").replaceAll("1", "l")} `
      assert.deepStrictEqual(yield* verify(typed), { verified: true, email: "zoe@example.com" })
      assert.isTrue(stored.accounts[0]?.user.email_verified)
      assert.deepStrictEqual(yield* verify(codeIn(0)), nothing)
    })
  )

  it.effect("an unknown code verifies nothing", () =>
    Effect.gen(function* () {
      const { register, stored, verify } = yield* registration
      yield* register()
      for (const code of ["AAAA-AAAA-AAAA-AAAA", "", "-", "'; DROP TABLE users"])
        assert.deepStrictEqual(yield* verify(code), nothing)
      assert.isFalse(stored.accounts[0]?.user.email_verified)
    })
  )

  it.effect("a code is valid for 24 hours, to the second", () =>
    Effect.gen(function* () {
      const { codeIn, register, verify } = yield* registration
      yield* register({ email: "a@example.com" })
      yield* register({ email: "b@example.com" })
      yield* TestClock.adjust("86399 seconds")
      assert.isTrue((yield* verify(codeIn(0))).verified)
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual(yield* verify(codeIn(1)), nothing)
    })
  )

  it.effect("using a code up and marking the email are one transaction", () =>
    Effect.gen(function* () {
      const { calls, codeIn, register, verify } = yield* registration
      yield* register()
      calls.length = 0
      yield* verify(codeIn(0))
      assert.deepStrictEqual(calls, ["lock inside", "redeem inside", "verified inside", "audit inside"])
    })
  )
})

describe("resend", () => {
  const sent = { sent: true }

  it.effect("mails a new code, and invalidates the older one", () =>
    Effect.gen(function* () {
      const { codeIn, register, resend, stored, verify } = yield* registration
      yield* register()
      assert.deepStrictEqual(yield* resend("zoe@example.com"), sent)
      assert.lengthOf(stored.messages, 2)
      assert.isFalse((yield* verify(codeIn(0))).verified)
      assert.deepStrictEqual(yield* verify(codeIn(1)), { verified: true, email: "zoe@example.com" })
    })
  )

  it.effect(
    "has the same result and the same work for an unknown or a verified email, and sends no code",
    () =>
      Effect.gen(function* () {
        const { calls, codeIn, register, resend, stored, verify } = yield* registration
        yield* register()
        calls.length = 0
        yield* resend("zoe@example.com")
        const waiting = [...calls]
        yield* verify(codeIn(1))
        for (const email of ["nobody@example.com", "zoe@example.com"]) {
          calls.length = 0
          assert.deepStrictEqual(yield* resend(email), sent)
          assert.deepStrictEqual(calls, waiting)
          assert.strictEqual(stored.messages.at(-1)?.to, "")
          assert.isFalse((yield* verify(codeIn(stored.messages.length - 1))).verified)
        }
      })
  )
})
