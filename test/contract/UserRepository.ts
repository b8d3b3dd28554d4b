/** The contract of `UserRepository`. */
import { EmailExists, UserId, UserRepository } from "@livery/domain"
import { assert } from "@effect/vitest"
import { Effect, Exit, Option } from "effect"
import { at, atOnce, contract, unique } from "./Contract.ts"
import { newBusiness, newDriver, newUser, now } from "./Given.ts"
import { DriverRepository } from "@livery/domain"

const ada = (email: string) => ({
  email,
  name: "Ada",
  mobilePhone: "+41 79 123 45 67",
  accountType: "A" as const,
  passwordHash: "hash",
  verifiedAt: null
})

export const userRepository = contract("a user", (it) => {
  it.effect("is the first one, then found by id and by email", () =>
    Effect.gen(function* () {
      const users = yield* UserRepository
      assert.isFalse(yield* users.any)
      const email = `${unique("ada")}@example.com`
      const user_id = yield* users.insert(ada(email))
      assert.isTrue(yield* users.any)
      const user = {
        user_id,
        email,
        name: "Ada",
        mobile_phone: "+41 79 123 45 67",
        account_type: "A" as const,
        email_verified: false
      }
      const account = Option.some({ user, passwordHash: "hash" })
      assert.deepStrictEqual(yield* users.find(user_id), Option.some(user))
      assert.deepStrictEqual(yield* users.lock(user_id), account)
      assert.deepStrictEqual(yield* users.findByEmail(email), account)
      assert.deepStrictEqual(yield* users.lockByEmail(email), account)
      assert.deepStrictEqual(yield* users.find(UserId.make(999_999_999)), Option.none())
      assert.deepStrictEqual(yield* users.findByEmail("nobody@example.com"), Option.none())
    })
  )

  it.effect("has an email of its own, also if several are stored at once", () =>
    Effect.gen(function* () {
      const users = yield* UserRepository
      const email = `${unique("ada")}@example.com`
      const exits = yield* atOnce(5, () => Effect.exit(users.insert(ada(email))))
      assert.lengthOf(exits.filter(Exit.isSuccess), 1)
      assert.deepStrictEqual(yield* Effect.flip(users.insert(ada(email))), new EmailExists())
    })
  )

  it.effect("changes what is given, and keeps the rest", () =>
    Effect.gen(function* () {
      const users = yield* UserRepository
      const id = yield* users.insert(ada(`${unique("ada")}@example.com`))
      const renamed = Option.getOrThrow(yield* users.change(id, { name: "Augusta" }, now))
      assert.deepInclude(renamed, { name: "Augusta", mobile_phone: "+41 79 123 45 67" })
      const cleared = Option.getOrThrow(yield* users.change(id, { mobile_phone: null }, now))
      assert.deepInclude(cleared, { name: "Augusta", mobile_phone: null })
      assert.deepStrictEqual(yield* users.change(UserId.make(999_999_999), { name: "X" }, now), Option.none())
    })
  )

  it.effect("is verified, and gets another hash of the password, independently of the others", () =>
    Effect.gen(function* () {
      const users = yield* UserRepository
      const [id, other] = [yield* newUser, yield* newUser]
      const others = yield* users.lock(other)
      yield* users.markVerified(id, at("10:00:00"))
      yield* users.replacePasswordHash(id, "another")
      const account = Option.getOrThrow(yield* users.lock(id))
      assert.deepStrictEqual([account.user.email_verified, account.passwordHash], [true, "another"])
      assert.deepStrictEqual(yield* users.lock(other), others)
    })
  )

  it.effect("signs in as the first of their drivers that is not deleted", () =>
    Effect.gen(function* () {
      const users = yield* UserRepository
      const drivers = yield* DriverRepository
      const id = yield* newUser
      assert.deepStrictEqual(yield* users.driverOf(id), Option.none())
      const businesses = [yield* newBusiness, yield* newBusiness]
      const linked = yield* Effect.forEach(businesses, (business) =>
        Effect.tap(newDriver(business), (driver) => drivers.linkAccount(business, driver, id, now))
      )
      assert.deepStrictEqual(yield* users.driverOf(id), Option.fromUndefinedOr(linked[0]))
      const [business] = businesses
      if (business !== undefined && linked[0] !== undefined) yield* drivers.remove(business, linked[0], now)
      assert.deepStrictEqual(yield* users.driverOf(id), Option.fromUndefinedOr(linked[1]))
    })
  )
})
