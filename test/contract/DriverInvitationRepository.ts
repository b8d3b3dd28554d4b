/** The contract of `DriverInvitationRepository`. */
import { DriverInvitationRepository, DriverRepository, Transaction } from "@livery/domain"
import { assert } from "@effect/vitest"
import { DateTime, Effect, Option } from "effect"
import { atOnce, contract, unique } from "./Contract.ts"
import { newBusiness, newDriver, now } from "./Given.ts"

const expiresAt = DateTime.add(now, { days: 7 })

const invite = Effect.gen(function* () {
  const invitations = yield* DriverInvitationRepository
  const businessId = yield* newBusiness
  const driverId = yield* newDriver(businessId)
  const invited = { businessId, driverId, email: "dan@example.com" }
  const codeHash = unique("code")
  yield* invitations.issue({ ...invited, codeHash, expiresAt }, now)
  return { invitations, invited, codeHash, businessId, driverId }
})

export const driverInvitationRepository = contract("a driver's invitation", (it) => {
  it.effect("is found by its code until it expires", () =>
    Effect.gen(function* () {
      const { businessId, codeHash, invitations, invited } = yield* invite
      assert.deepStrictEqual(yield* invitations.invited(businessId, codeHash, now), Option.some(invited))
      assert.deepStrictEqual(yield* invitations.invited(businessId, unique("code"), now), Option.none())
      assert.deepStrictEqual(yield* invitations.invited(yield* newBusiness, codeHash, now), Option.none())
      assert.deepStrictEqual(yield* invitations.invited(businessId, codeHash, expiresAt), Option.none())
      assert.isFalse(yield* invitations.redeem(invited.businessId, codeHash, expiresAt))
    })
  )

  it.effect("is redeemed once, by its own business", () =>
    Effect.gen(function* () {
      const { businessId, codeHash, invitations } = yield* invite
      const transaction = yield* Transaction
      assert.isFalse(yield* invitations.redeem(yield* newBusiness, codeHash, now))
      const redeemed = yield* atOnce(5, () => transaction.run(invitations.redeem(businessId, codeHash, now)))
      assert.lengthOf(redeemed.filter(Boolean), 1)
      assert.deepStrictEqual(yield* invitations.invited(businessId, codeHash, now), Option.none())
    })
  )

  it.effect("ends with the next one, when it is voided, and with its driver", () =>
    Effect.gen(function* () {
      const { businessId, codeHash, driverId, invitations, invited } = yield* invite
      const drivers = yield* DriverRepository
      const codes = [unique("code"), unique("code")]
      const isValid = (hash: string) => Effect.map(invitations.invited(businessId, hash, now), Option.isSome)
      yield* invitations.issue({ ...invited, codeHash: codes[0] ?? "", expiresAt }, now)
      assert.deepStrictEqual([yield* isValid(codeHash), yield* isValid(codes[0] ?? "")], [false, true])
      yield* invitations.void(businessId, driverId)
      assert.isFalse(yield* isValid(codes[0] ?? ""))
      yield* invitations.issue({ ...invited, codeHash: codes[1] ?? "", expiresAt }, now)
      yield* drivers.remove(businessId, driverId, now)
      assert.isFalse(yield* isValid(codes[1] ?? ""))
    })
  )
})
