/** A demonstration business on an empty database. */
import { Context, DateTime, Effect, Layer, Option, Redacted } from "effect"
import * as Base64Url from "effect/encoding/Base64Url"
import { Businesses } from "../business/Businesses.ts"
import { ApiKeys } from "../identity/ApiKeys.ts"
import { PasswordHasher } from "../identity/PasswordHasher.ts"
import { UserRepository } from "../identity/UserRepository.ts"
import { Cryptography } from "../kernel/security/Cryptography.ts"
import { Transaction } from "../kernel/Transaction.ts"

/** The name of the demonstration business. */
export const demonstrationName = "Demonstration Cars"

/** Its owner, with an address in a reserved domain and a random password that is not kept. */
const owner = { email: "demonstration@livery.example", name: "Demonstration" }

/**
 * - `prepare`: creates the business and returns its API key, which is not stored in full; `None` if the database has
 *   users. Of concurrent calls, one creates it.
 */
export class Demonstration extends Context.Service<
  Demonstration,
  { readonly prepare: Effect.Effect<Option.Option<{ readonly apiKey: string }>> }
>()("@livery/domain/Demonstration") {
  static readonly layer = Layer.effect(
    Demonstration,
    Effect.gen(function* () {
      const transaction = yield* Transaction
      const users = yield* UserRepository
      const businesses = yield* Businesses
      const apiKeys = yield* ApiKeys
      const hasher = yield* PasswordHasher
      const cryptography = yield* Cryptography

      const create = Effect.gen(function* () {
        const password = Redacted.make(Base64Url.encode(yield* cryptography.randomBytes(32)))
        const passwordHash = yield* hasher.hash(password)
        const verifiedAt = yield* DateTime.now
        return yield* transaction.run(
          Effect.gen(function* () {
            const userId = yield* users.insert({
              ...owner,
              mobilePhone: null,
              accountType: "A",
              passwordHash,
              verifiedAt
            })
            const businessId = yield* businesses.create({
              name: demonstrationName,
              email: owner.email,
              owner: userId
            })
            const { api_key: apiKey } = yield* apiKeys.create(businessId, userId)
            return { apiKey }
          })
        )
      })

      const prepare = Effect.gen(function* () {
        if (yield* users.any) return Option.none<{ readonly apiKey: string }>()
        return yield* Effect.option(create)
      }).pipe(Effect.withSpan("Demonstration.prepare"))

      return Demonstration.of({ prepare })
    })
  )
}
