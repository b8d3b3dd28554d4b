/** The contract of `AdminUserRepository`. */
import {
  AdminUserRepository,
  BusinessRepository,
  MemberRepository,
  UserId,
  UserRepository
} from "@livery/domain"
import { assert } from "@effect/vitest"
import { Effect, Option } from "effect"
import { contract, unique } from "./Contract.ts"
import { newBusiness, newUser, wholeList } from "./Given.ts"

const anyType = undefined

export const adminUserRepository = contract("a user, for super-admins", (it) => {
  it.effect("is found by a part of the name or the email in any case, and by the account type", () =>
    Effect.gen(function* () {
      const users = yield* AdminUserRepository
      const word = unique("grace")
      const insert = (accountType: "A" | "S" | "D", name: string) =>
        Effect.flatMap(UserRepository, (all) =>
          all.insert({
            email: `${unique("user")}.${accountType === "D" ? word : "x"}@example.com`,
            name,
            mobilePhone: null,
            accountType,
            passwordHash: "hash",
            verifiedAt: null
          })
        )
      const admin = yield* insert("A", `Dr ${word.toUpperCase()} A`)
      const root = yield* insert("S", `${word} S`)
      const driver = yield* insert("D", "Hopper")
      const found = (accountType: "A" | "S" | undefined) =>
        Effect.map(users.list({ search: word, accountType }, wholeList), ({ items }) =>
          items.map(({ user_id }) => user_id)
        )
      assert.deepStrictEqual(yield* found(anyType), [admin, root, driver])
      assert.deepStrictEqual(yield* found("A"), [admin])
      assert.deepStrictEqual(yield* found("S"), [root])
    })
  )

  it.effect("has the businesses that the user may act for", () =>
    Effect.gen(function* () {
      const users = yield* AdminUserRepository
      const businesses = yield* BusinessRepository
      const user = yield* newUser
      const [one, other] = [yield* newBusiness, yield* newBusiness]
      yield* businesses.addMember(other, user, "owner")
      yield* businesses.addMember(one, user, "owner")
      const read = Effect.map(users.find(user), Option.getOrThrow)
      assert.deepStrictEqual((yield* read).business_ids, [one, other])
      yield* MemberRepository.use((members) => members.remove(one, user))
      const { business_ids, driver_id, email_verified } = yield* read
      assert.deepStrictEqual([business_ids, driver_id, email_verified], [[other], null, false])
      assert.deepStrictEqual(yield* users.find(UserId.make(999_999_999)), Option.none())
    })
  )
})
