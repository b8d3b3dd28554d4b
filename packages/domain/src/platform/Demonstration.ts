/** A demonstration business on an empty database. */
import { Context, DateTime, Effect, Layer, Option, Redacted } from "effect"
import * as Base64Url from "effect/encoding/Base64Url"
import { makeAuditTrail } from "../audit/AuditTrail.ts"
import { Businesses } from "../business/Businesses.ts"
import { fleetPlanId } from "../business/Plan.ts"
import { ApiKeys } from "../identity/ApiKeys.ts"
import { PasswordHasher } from "../identity/users/PasswordHasher.ts"
import { UserRepository } from "../identity/users/UserRepository.ts"
import { makeSessionOpening } from "../identity/sessions/SessionOpening.ts"
import { SessionRepository } from "../identity/sessions/SessionRepository.ts"
import { codeHash, demonstrationCodeLifetime, newCode } from "../identity/users/VerificationCode.ts"
import { VerificationCodeRepository } from "../identity/users/VerificationCodeRepository.ts"
import { Unauthorized } from "../kernel/Errors.ts"
import type { BusinessId, UserId } from "../kernel/Ids.ts"
import { CurrentActor } from "../kernel/CurrentActor.ts"
import { Cryptography } from "../kernel/security/Cryptography.ts"
import { traced } from "../kernel/TracedFunction.ts"
import { atomically, Transaction } from "../kernel/Transaction.ts"
import { type AddedDay, makeDemonstrationDay } from "./DemonstrationDay.ts"

/** The name of the demonstration business. */
export const demonstrationName = "Demonstration Cars"

/** The demonstration business, its new API key, and the numbers of the added records. */
export interface DemonstrationDay {
  readonly businessId: BusinessId
  readonly apiKey: string
  readonly added: AddedDay
}

/** The owner of the business, with an address in a reserved domain and a random password that is not kept. */
export const demonstrationOwner = { email: "demonstration@livery.example", name: "Demonstration" }

/** The audit log names the `CurrentActor` as the author of the key. */
export class Demonstration extends Context.Service<Demonstration>()("@livery/domain/Demonstration", {
  make: Effect.gen(function* () {
    const transaction = yield* Transaction
    const users = yield* UserRepository
    const businesses = yield* Businesses
    const apiKeys = yield* ApiKeys
    const hasher = yield* PasswordHasher
    const cryptography = yield* Cryptography

    const addDay = yield* makeDemonstrationDay
    const sessions = yield* SessionRepository
    const codes = yield* VerificationCodeRepository
    const opening = yield* makeSessionOpening
    const writeAudit = yield* makeAuditTrail
    const hashOf = (code: string) => codeHash(code).pipe(Effect.provideService(Cryptography, cryptography))

    const create = Effect.gen(function* () {
      const password = Redacted.make(Base64Url.encode(yield* cryptography.randomBytes(32)))
      const passwordHash = yield* hasher.hash(password)
      const verifiedAt = yield* DateTime.now
      return yield* atomically(transaction, function* () {
        const userId = yield* users.insert({
          ...demonstrationOwner,
          mobilePhone: null,
          accountType: "A",
          passwordHash,
          verifiedAt
        })
        const businessId = yield* businesses.create({
          name: demonstrationName,
          email: demonstrationOwner.email,
          owner: userId,
          planId: fleetPlanId
        })
        const { api_key: apiKey } = yield* apiKeys.create(businessId, userId, yield* CurrentActor)
        return { apiKey }
      })
    })

    const findOwned = Effect.gen(function* () {
      const account = yield* users.findByEmail(demonstrationOwner.email)
      if (Option.isNone(account)) return undefined
      const { user_id } = account.value.user
      const [acting] = yield* sessions.businessesOf(user_id)
      return acting === undefined ? undefined : { userId: user_id, acting }
    })

    /** A code that signs in the owner of the business once. */
    const issueCode = Effect.fnUntraced(function* (userId: UserId) {
      const code = yield* newCode.pipe(Effect.provideService(Cryptography, cryptography))
      yield* codes.issue({
        codeHash: yield* hashOf(code),
        userId,
        purpose: "demonstration",
        expiresAt: DateTime.addDuration(yield* DateTime.now, demonstrationCodeLifetime)
      })
      return Redacted.make(code)
    })

    return {
      /**
       * Creates the business and returns its API key, which is not stored in full; `None` if the database has users.
       * Of concurrent calls, one creates it.
       */
      prepare: Effect.gen(function* () {
        if (yield* users.any) return Option.none<{ readonly apiKey: string }>()
        // A concurrent call created it.
        return yield* Effect.asSome(create).pipe(Effect.catchTag("EmailExists", () => Effect.succeedNone))
      }).pipe(Effect.orDie, Effect.withSpan("Demonstration.prepare")),

      /**
       * The business, created if there is none, with drivers, cars and a day of trips, and a new API key for it.
       * `Conflict` if it has as many keys as a business may have.
       */
      day: Effect.gen(function* () {
        const owned = yield* findOwned
        const actor = yield* CurrentActor
        const { apiKey } =
          owned === undefined
            ? yield* create
            : { apiKey: (yield* apiKeys.create(owned.acting.business_id, owned.userId, actor)).api_key }
        const { acting } = owned ?? (yield* Effect.orDie(Effect.fromNullishOr(yield* findOwned)))
        return { apiKey, businessId: acting.business_id, added: yield* addDay(acting) }
      }).pipe(Effect.withSpan("Demonstration.day")),

      /** A code for {@link signIn}, valid for 15 minutes; `None` if there is no such business. */
      code: Effect.gen(function* () {
        const owned = yield* findOwned
        return owned === undefined ? Option.none() : Option.some(yield* issueCode(owned.userId))
      }).pipe(Effect.withSpan("Demonstration.code")),

      /**
       * Signs in the owner of the business by a code of {@link code}, which this uses up, and adds the trips of today if they
       * are missing. `Unauthorized` for an unknown, used or expired code.
       */
      signIn: traced("Demonstration.signIn")(function* (code: string) {
        const hash = yield* hashOf(code)
        const { opened, user } = yield* atomically(transaction, function* () {
          const now = yield* DateTime.now
          const owner = yield* codes.ownerOf(hash, "demonstration", now)
          // The user is locked before the code, as in every change of both (docs/lock-order.md).
          const account = Option.isNone(owner) ? Option.none() : yield* users.lock(owner.value)
          const redeemed = yield* codes.redeem(hash, "demonstration", now)
          if (Option.isNone(account) || Option.isNone(redeemed)) return yield* new Unauthorized()
          const { user } = account.value
          const opened = yield* opening.open(user, "The demonstration's link")
          const actor = `user:${user.user_id}`
          yield* writeAudit({
            actor,
            action: "session.opened",
            subject: actor,
            after: { session_id: opened.sessionId, by: "demonstration" }
          })
          return { opened, user }
        })
        const [acting] = yield* sessions.businessesOf(user.user_id)
        if (acting !== undefined)
          yield* addDay(acting).pipe(Effect.provideService(CurrentActor, `user:${user.user_id}`))
        return yield* opening.result(user, opened)
      })
    }
  })
}) {
  static readonly layer = Layer.effect(Demonstration, Demonstration.make)
}
