/** The contract of `MemberRepository`. */
import { MemberRepository, Transaction } from "@livery/domain"
import { assert } from "@effect/vitest"
import { Effect, Option } from "effect"
import { atOnce, contract } from "./Contract.ts"
import { newBusiness, newUser, wholeList } from "./Given.ts"

export const memberRepository = contract("a member", (it) => {
  it.effect("is added once, changes its role, and is removed", () =>
    Effect.gen(function* () {
      const members = yield* MemberRepository
      const [business, other, user] = [yield* newBusiness, yield* newBusiness, yield* newUser]
      const added = yield* atOnce(3, () => members.add(business, user, "dispatcher"))
      assert.lengthOf(added.filter(Boolean), 1)
      yield* members.add(other, user, "viewer")
      const member = Option.getOrThrow(yield* members.find(business, user))
      assert.deepInclude(member, { user_id: user, name: "Ada", role: "dispatcher" })
      assert.deepStrictEqual(yield* members.findByEmail(business, member.email), Option.some(member))
      assert.deepStrictEqual((yield* members.list(business, wholeList)).items, [member])
      yield* members.setRole(business, user, "owner")
      assert.strictEqual(Option.getOrThrow(yield* members.find(business, user)).role, "owner")
      assert.strictEqual(Option.getOrThrow(yield* members.find(other, user)).role, "viewer")
      yield* members.remove(business, user)
      assert.deepStrictEqual(yield* members.find(business, user), Option.none())
      assert.deepStrictEqual(yield* members.findByEmail(business, member.email), Option.none())
      assert.isTrue(Option.isSome(yield* members.find(other, user)))
    })
  )

  it.effect("counts among the owners, and is locked against concurrent changes", () =>
    Effect.gen(function* () {
      const members = yield* MemberRepository
      const transaction = yield* Transaction
      const business = yield* newBusiness
      const owners = yield* Effect.all(Array.from({ length: 4 }, () => newUser))
      for (const owner of owners) yield* members.add(business, owner, "owner")
      yield* members.add(business, yield* newUser, "viewer")
      assert.strictEqual(yield* members.countOwners(business), 4)
      yield* Effect.forEach(
        owners,
        (owner) =>
          transaction.run(
            Effect.gen(function* () {
              yield* members.lock(business)
              if ((yield* members.countOwners(business)) > 1) yield* members.remove(business, owner)
            })
          ),
        { concurrency: "unbounded" }
      )
      assert.strictEqual(yield* members.countOwners(business), 1)
    })
  )
})
