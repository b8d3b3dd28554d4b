/** The ports on PostgreSQL, on a database of the test file's own, and rows for tests. */
import { BusinessId, UserId, UserRepository, WorkNotifier } from "@livery/domain"
import { AesSecretBox, SecretKeys } from "@livery/integrations"
import { DateTime, Effect, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { TestDatabase } from "../../../../test/support/TestDatabase.ts"
import * as PersistencePg from "../../src/PersistencePg.ts"

/** Encryption under a key for tests. */
export const Box = AesSecretBox.layer.pipe(
  Layer.provide(SecretKeys.layer(Redacted.make("a secret for tests, of no use to anyone"))),
  Layer.orDie
)

/** All ports on PostgreSQL; for `layer(…)` of a test file. */
export const TestPersistence = PersistencePg.layer.pipe(
  Layer.provideMerge(Layer.mergeAll(Box, WorkNotifier.layer, TestDatabase.layer))
)

/** An instant on the day of the tests. */
export const at = (time: string) => DateTime.makeUnsafe(`2026-11-20T${time}Z`)

let count = 0

/** A unique text. */
export const unique = (text: string) => `${text}-${(count += 1)}`

/** A new user. */
export const newUser = Effect.gen(function* () {
  const users = yield* UserRepository
  return yield* users.insert({
    email: `${unique("user")}@example.com`,
    name: "Ada",
    mobilePhone: null,
    accountType: "A",
    passwordHash: "hash",
    verifiedAt: null
  })
})

/** A new business: active, in UTC and with USD by default. */
export const newBusiness = Effect.fnUntraced(function* (
  change: { readonly status?: "A" | "D"; readonly timezone?: string } = {}
) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ business_id: number }>`
    INSERT INTO businesses
      (business_name, business_email, vendor_slug, status, subscription_plan_id, timezone, created_at, updated_at)
    VALUES (${unique("Cars")}, 'cars@example.com', ${unique("cars")}, ${change.status ?? "A"}, 1,
            ${change.timezone ?? "UTC"}, now(), now())
    RETURNING business_id`
  return BusinessId.make(row?.business_id ?? 0)
})

/** A new car of a business. */
export const newCar = Effect.fnUntraced(function* (businessId: BusinessId) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ car_id: number }>`
    INSERT INTO cars (business_id, name, created_at, updated_at) VALUES (${businessId}, 'Black', now(), now())
    RETURNING car_id`
  return row?.car_id ?? 0
})

/** The id of no user. */
export const unknownUser = UserId.make(999_999_999)

/** Runs an effect `count` times concurrently. */
export const atOnce = <A, E, R>(count: number, effect: (index: number) => Effect.Effect<A, E, R>) =>
  Effect.all(
    Array.from({ length: count }, (_, index) => effect(index)),
    { concurrency: "unbounded" }
  )
