/** The contract of `SessionRepository`. */
import {
  BusinessRepository,
  DriverRepository,
  SessionId,
  SessionRepository,
  type UserId
} from "@livery/domain"
import { assert } from "@effect/vitest"
import { DateTime, Effect, Exit, Option } from "effect"
import { atOnce, contract, unique } from "./Contract.ts"
import { newBusiness, newDriver, newUser, now } from "./Given.ts"

const tokenEnd = DateTime.add(now, { days: 30 })
const sessionEnd = DateTime.add(now, { days: 180 })

const open = Effect.fnUntraced(function* (userId: UserId, refreshTokenHash = unique("hash")) {
  const sessions = yield* SessionRepository
  return yield* sessions.open({
    userId,
    deviceName: "Ada's phone",
    refreshTokenHash,
    refreshTokenExpiresAt: tokenEnd,
    now,
    expiresAt: sessionEnd
  })
})

export const sessionRepository = contract("a session", (it) => {
  it.effect("has its user, the user's businesses and the drivers that the user signs in as", () =>
    Effect.gen(function* () {
      const sessions = yield* SessionRepository
      const businesses = yield* BusinessRepository
      const drivers = yield* DriverRepository
      const user = yield* newUser
      const [first, second] = [yield* newBusiness, yield* newBusiness]
      yield* businesses.addMember(second, user, "owner")
      yield* businesses.addMember(first, user, "viewer")
      const [driver, inactive] = [yield* newDriver(second), yield* newDriver(first, { active: false })]
      yield* drivers.linkAccount(second, driver, user, now)
      yield* drivers.linkAccount(first, inactive, user, now)
      const active = Option.getOrThrow(yield* sessions.findActive(yield* open(user), now))
      assert.strictEqual(active.user.user_id, user)
      assert.deepStrictEqual(
        active.businesses.map(({ business_id, role }) => [business_id, role]),
        [
          [first, "viewer"],
          [second, "owner"]
        ]
      )
      assert.deepStrictEqual(
        (yield* sessions.driversOf(user)).map(({ business, driver_id }) => [driver_id, business.business_id]),
        [[driver, second]]
      )
      assert.deepStrictEqual(
        (yield* sessions.businessesOf(user)).map(({ business_id }) => business_id),
        [first, second]
      )
    })
  )

  it.effect("is active until its end, unless it is revoked", () =>
    Effect.gen(function* () {
      const sessions = yield* SessionRepository
      const id = yield* open(yield* newUser)
      const isActive = (at: DateTime.Utc) => Effect.map(sessions.findActive(id, at), Option.isSome)
      assert.isTrue(yield* isActive(DateTime.subtract(sessionEnd, { milliseconds: 1 })))
      assert.isFalse(yield* isActive(sessionEnd))
      assert.isTrue(yield* sessions.revoke(id, now))
      assert.isFalse(yield* sessions.revoke(id, now))
      assert.isFalse(yield* isActive(now))
      assert.deepStrictEqual(yield* sessions.findActive(SessionId.make(999_999_999), now), Option.none())
    })
  )

  it.effect("is read with others at once, without those that are not active", () =>
    Effect.gen(function* () {
      const sessions = yield* SessionRepository
      const [first, second, revoked] = [
        yield* open(yield* newUser),
        yield* open(yield* newUser),
        yield* open(yield* newUser)
      ]
      yield* sessions.revoke(revoked, now)
      const found = yield* sessions.findAllActive(
        [second, revoked, first, second, SessionId.make(999_999_999)],
        now
      )
      assert.sameMembers(
        found.map(({ sessionId }) => sessionId),
        [first, second]
      )
      for (const { sessionId, ...session } of found)
        assert.deepInclude(Option.getOrThrow(yield* sessions.findActive(sessionId, now)), session)
      assert.deepStrictEqual(yield* sessions.findAllActive([first], sessionEnd), [])
      assert.deepStrictEqual(yield* sessions.findAllActive([], now), [])
    })
  )

  it.effect("has the token that it was opened with, and then its successors", () =>
    Effect.gen(function* () {
      const sessions = yield* SessionRepository
      const user = yield* newUser
      const [hash, successorHash] = [unique("hash"), unique("hash")]
      const sessionId = yield* open(user, hash)
      const locked = {
        sessionId,
        userId: user,
        revoked: false,
        sessionExpiresAt: sessionEnd,
        expiresAt: tokenEnd,
        rotatedAt: null,
        sealedSuccessor: null
      }
      assert.deepStrictEqual(yield* sessions.lockByToken(hash), Option.some(locked))
      const expiresAt = DateTime.add(tokenEnd, { hours: 1 })
      yield* sessions.rotate({
        sessionId,
        refreshTokenHash: hash,
        successorHash,
        sealedSuccessor: "sealed",
        now,
        expiresAt
      })
      assert.deepStrictEqual(
        yield* sessions.lockByToken(hash),
        Option.some({ ...locked, rotatedAt: now, sealedSuccessor: "sealed" })
      )
      assert.deepStrictEqual(
        yield* sessions.lockByToken(successorHash),
        Option.some({ ...locked, expiresAt })
      )
      assert.deepStrictEqual(yield* sessions.lockByToken(unique("hash")), Option.none())
      yield* sessions.revoke(sessionId, now)
      assert.deepInclude(Option.getOrThrow(yield* sessions.lockByToken(hash)), {
        revoked: true,
        sealedSuccessor: null
      })
    })
  )

  it.effect("is not opened with a refresh token that another session has", () =>
    Effect.gen(function* () {
      const user = yield* newUser
      const hash = unique("hash")
      const exits = yield* atOnce(5, () => Effect.exit(open(user, hash)))
      assert.lengthOf(exits.filter(Exit.isSuccess), 1)
      const sessions = yield* SessionRepository
      assert.lengthOf((yield* sessions.revokeAll(user, null, now)).revoked, 1)
    })
  )

  it.effect("ends with all others of its user, unless it is the one to keep", () =>
    Effect.gen(function* () {
      const sessions = yield* SessionRepository
      const [user, other] = [yield* newUser, yield* newUser]
      const [first, second, third] = [yield* open(user), yield* open(user), yield* open(user)]
      yield* open(other)
      yield* sessions.revoke(first, now)
      const { kept, revoked } = yield* sessions.revokeAll(user, second, now)
      assert.deepStrictEqual([kept, revoked], [true, [third]])
      assert.isTrue(Option.isSome(yield* sessions.findActive(second, now)))
      assert.deepStrictEqual(yield* sessions.revokeAll(user, null, now), { kept: false, revoked: [second] })
      assert.deepStrictEqual(yield* sessions.revokeAll(user, second, now), { kept: false, revoked: [] })
    })
  )
})
