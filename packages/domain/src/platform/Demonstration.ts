/** A demonstration business on an empty database. */
import { Context, DateTime, Effect, Layer, Option, Redacted } from "effect"
import * as Base64Url from "effect/encoding/Base64Url"
import { Businesses } from "../business/Businesses.ts"
import { fleetPlanId } from "../business/Plan.ts"
import { ApiKeys } from "../identity/ApiKeys.ts"
import { PasswordHasher } from "../identity/users/PasswordHasher.ts"
import { UserRepository } from "../identity/users/UserRepository.ts"
import { SessionRepository } from "../identity/sessions/SessionRepository.ts"
import type { BusinessId } from "../kernel/Ids.ts"
import { CurrentActor } from "../kernel/CurrentActor.ts"
import { Cryptography } from "../kernel/security/Cryptography.ts"
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
      }).pipe(Effect.withSpan("Demonstration.day"))
    }
  })
}) {
  static readonly layer = Layer.effect(Demonstration, Demonstration.make)
}
