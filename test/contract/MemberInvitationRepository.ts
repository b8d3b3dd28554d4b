/** The contract of `MemberInvitationRepository`. */
import { MemberInvitationRepository, Transaction } from "@livery/domain"
import { assert } from "@effect/vitest"
import { DateTime, Effect, Option } from "effect"
import { atOnce, contract, unique } from "./Contract.ts"
import { newBusiness, now, wholeList } from "./Given.ts"

export const memberInvitationRepository = contract("a member's invitation", (it) => {
  it.effect("is found and redeemed by its code, once, by its business, until it expires", () =>
    Effect.gen(function* () {
      const invitations = yield* MemberInvitationRepository
      const transaction = yield* Transaction
      const [business, other] = [yield* newBusiness, yield* newBusiness]
      const expiresAt = DateTime.add(now, { days: 7 })
      const invited = { email: "dora@example.com", name: null, role: "dispatcher" } as const
      const [codeHash, next] = [unique("code"), unique("code")]
      yield* invitations.issue(business, { ...invited, codeHash, expiresAt }, now)
      assert.deepStrictEqual(yield* invitations.find(business, codeHash, now), Option.some(invited))
      assert.deepStrictEqual(yield* invitations.find(other, codeHash, now), Option.none())
      assert.deepStrictEqual(yield* invitations.find(business, codeHash, expiresAt), Option.none())
      assert.isFalse(yield* invitations.redeem(business, codeHash, expiresAt))
      assert.isFalse(yield* invitations.redeem(other, codeHash, now))
      yield* invitations.issue(business, { ...invited, role: "viewer", codeHash: next, expiresAt }, now)
      assert.isFalse(yield* invitations.redeem(business, codeHash, now))
      const redeemed = yield* atOnce(5, () => transaction.run(invitations.redeem(business, next, now)))
      assert.lengthOf(redeemed.filter(Boolean), 1)
    })
  )

  it.effect("is listed by address and can be revoked, by its business, until it expires", () =>
    Effect.gen(function* () {
      const invitations = yield* MemberInvitationRepository
      const [business, other] = [yield* newBusiness, yield* newBusiness]
      const expires_at = DateTime.add(now, { days: 7 })
      const invite = (email: string, expiresAt = expires_at) =>
        invitations.issue(
          business,
          { email, name: "Ann", role: "viewer", codeHash: unique("code"), expiresAt },
          now
        )
      yield* invite("zoe@example.com")
      yield* invite("ann@example.com")
      yield* invite("old@example.com", now)
      const list = (of: typeof business) => invitations.list(of, now, wholeList)
      const listed = (email: string) => ({ email, name: "Ann", role: "viewer", created_at: now, expires_at })
      assert.deepStrictEqual<unknown>((yield* list(business)).items, [
        listed("ann@example.com"),
        listed("zoe@example.com")
      ])
      assert.deepStrictEqual((yield* list(other)).items, [])
      assert.deepStrictEqual(yield* invitations.revoke(other, "ann@example.com", now), Option.none())
      assert.deepStrictEqual(yield* invitations.revoke(business, "old@example.com", now), Option.none())
      assert.isTrue(Option.isSome(yield* invitations.revoke(business, "ann@example.com", now)))
      assert.deepStrictEqual(yield* invitations.revoke(business, "ann@example.com", now), Option.none())
      assert.lengthOf((yield* list(business)).items, 1)
    })
  )
})
