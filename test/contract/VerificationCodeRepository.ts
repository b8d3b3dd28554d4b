/** The contract of `VerificationCodeRepository`. */
import { Transaction, VerificationCodeRepository } from "@livery/domain"
import { assert } from "@effect/vitest"
import { DateTime, Effect, Option } from "effect"
import { atOnce, contract, unique } from "./Contract.ts"
import { newUser, now } from "./Given.ts"

const purpose = "verify_email"

const newCode = Effect.gen(function* () {
  const codes = yield* VerificationCodeRepository
  const userId = yield* newUser
  const codeHash = unique("code")
  yield* codes.issue({ codeHash, userId, purpose, expiresAt: DateTime.add(now, { hours: 24 }) })
  return { codes, userId, codeHash }
})

export const verificationCodeRepository = contract("a verification code", (it) => {
  it.effect("returns its user once", () =>
    Effect.gen(function* () {
      const { codeHash, codes, userId } = yield* newCode
      yield* newCode
      assert.isTrue(Option.isNone(yield* codes.redeem("unknown", purpose, now)))
      assert.deepStrictEqual(yield* codes.redeem(codeHash, purpose, now), Option.some(userId))
      assert.isTrue(Option.isNone(yield* codes.redeem(codeHash, purpose, now)))
    })
  )

  it.effect("is valid until its expiry", () =>
    Effect.gen(function* () {
      const { codeHash, codes } = yield* newCode
      const end = DateTime.add(now, { hours: 24 })
      assert.isTrue(Option.isNone(yield* codes.redeem(codeHash, purpose, end)))
      assert.isTrue(
        Option.isSome(yield* codes.redeem(codeHash, purpose, DateTime.subtract(end, { milliseconds: 1 })))
      )
    })
  )

  it.effect("is valid until its user has a newer one for that purpose, used or not", () =>
    Effect.gen(function* () {
      const { codeHash, codes, userId } = yield* newCode
      const expiresAt = DateTime.add(now, { hours: 1 })
      const other = unique("code")
      yield* codes.issue({ codeHash: other, userId, purpose: "reset_password", expiresAt })
      assert.deepStrictEqual(yield* codes.ownerOf(codeHash, purpose, now), Option.some(userId))
      const newer = unique("code")
      yield* codes.issue({ codeHash: newer, userId, purpose, expiresAt })
      assert.isTrue(Option.isNone(yield* codes.ownerOf(codeHash, purpose, now)))
      assert.deepStrictEqual(yield* codes.redeem(newer, purpose, now), Option.some(userId))
      assert.isTrue(Option.isNone(yield* codes.redeem(codeHash, purpose, now)))
      yield* codes.void(userId, "reset_password", now)
      assert.isTrue(Option.isNone(yield* codes.redeem(other, "reset_password", now)))
    })
  )

  it.effect("without a user is never valid", () =>
    Effect.gen(function* () {
      const codes = yield* VerificationCodeRepository
      const codeHash = unique("code")
      yield* codes.issue({ codeHash, userId: null, purpose, expiresAt: DateTime.add(now, { hours: 1 }) })
      assert.isTrue(Option.isNone(yield* codes.ownerOf(codeHash, purpose, now)))
      assert.isTrue(Option.isNone(yield* codes.redeem(codeHash, purpose, now)))
    })
  )

  it.effect("is valid for its purpose only", () =>
    Effect.gen(function* () {
      const { codeHash, codes } = yield* newCode
      assert.isTrue(Option.isNone(yield* codes.redeem(codeHash, "reset_password", now)))
      assert.isTrue(Option.isSome(yield* codes.redeem(codeHash, purpose, now)))
    })
  )

  it.effect("is redeemed by one of any number of concurrent calls", () =>
    Effect.gen(function* () {
      const { codeHash, codes } = yield* newCode
      const transaction = yield* Transaction
      const answers = yield* atOnce(12, () => transaction.run(codes.redeem(codeHash, purpose, now)))
      assert.lengthOf(answers.filter(Option.isSome), 1)
    })
  )
})
