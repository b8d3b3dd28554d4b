/** The ports on PostgreSQL, on a database of the test file's own, and rows for tests. */
import { BusinessId, UserId, WorkNotifier } from "@livery/domain"
import { AesSecretBox, SecretKeys } from "@livery/integrations"
import { Effect, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { at, atOnce, unique } from "../../../../test/contract/Contract.ts"
import { newUser } from "../../../../test/contract/Given.ts"
import { TestDatabase } from "../../../../test/support/TestDatabase.ts"
import * as PersistencePg from "../../src/PersistencePg.ts"

export { at, atOnce, newUser, unique }

/** Encryption under a key for tests. */
export const Box = AesSecretBox.layer.pipe(
  Layer.provide(SecretKeys.layer(Redacted.make("a secret for tests, of no use to anyone"))),
  Layer.orDie
)

/** All ports on the database of that layer. */
export const persistenceOn = (database: typeof TestDatabase.layer) =>
  PersistencePg.layer.pipe(Layer.provideMerge(Layer.mergeAll(Box, WorkNotifier.layer, database)))

/** All ports on PostgreSQL; for `layer(…)` of a test file. */
export const TestPersistence = persistenceOn(TestDatabase.layer)

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
