/** The domain's `ApiKeyRepository` on PostgreSQL. */
import { Array, Effect, Layer, Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { ApiKeyRepository, keysPerBusiness, tooManyKeys } from "@livery/domain"
import { compiled } from "../sql/Compiled.ts"
import { ActingBusinessRow, Instant, instant, rowsAs } from "../sql/Rows.ts"
import { makeApiKeyUses } from "./ApiKeyUses.ts"

const actingBusinesses = rowsAs(ActingBusinessRow)
const listed = rowsAs(
  Schema.Struct({ masked_key: Schema.String, created_at: Instant, last_used_at: Schema.NullOr(Instant) })
)
const hashes = rowsAs(Schema.Struct({ key_hash: Schema.String }))

export const layer = Layer.effect(
  ApiKeyRepository,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const used = yield* makeApiKeyUses(sql)
    const businessOf = compiled<{ readonly keyHash: string }>(
      sql,
      ({ keyHash }) => sql`
        SELECT b.business_id, b.business_name, b.status, b.currency, b.timezone
        FROM api_keys k JOIN businesses b USING (business_id)
        WHERE k.key_hash = ${keyHash}`
    )
    return ApiKeyRepository.of({
      insert: Effect.fnUntraced(
        function* (businessId, key) {
          // A statement of its own: the next one then sees the keys that were inserted while this one waited.
          yield* sql`SELECT FROM businesses WHERE business_id = ${businessId} FOR NO KEY UPDATE`
          const inserted = yield* hashes(sql`
            INSERT INTO api_keys (business_id, key_hash, masked_key, created_by, created_at)
            SELECT ${businessId}, ${key.keyHash}, ${key.maskedKey}, ${key.createdBy},
                   ${instant(key.createdAt)}::timestamptz
            WHERE (SELECT count(*) FROM api_keys WHERE business_id = ${businessId}) < ${keysPerBusiness}::int
            RETURNING key_hash`)
          if (inserted.length === 0) return yield* tooManyKeys()
        },
        sql.withTransaction,
        Effect.catchTag("SqlError", Effect.die)
      ),
      list: (businessId) =>
        Effect.map(
          listed(sql`
            SELECT masked_key, created_at, last_used_at FROM api_keys
            WHERE business_id = ${businessId}
            ORDER BY created_at DESC, key_hash`),
          Array.map(({ created_at, last_used_at, masked_key }) => ({
            maskedKey: masked_key,
            createdAt: created_at,
            lastUsedAt: last_used_at
          }))
        ),
      remove: (businessId, keyHash) =>
        Effect.map(
          hashes(sql`
            DELETE FROM api_keys WHERE business_id = ${businessId} AND key_hash = ${keyHash}
            RETURNING key_hash`),
          Array.isReadonlyArrayNonEmpty
        ),
      businessOf: (keyHash) =>
        Effect.flatMap(actingBusinesses(businessOf({ keyHash })), ([business]) =>
          business === undefined ? Effect.succeedNone : Effect.as(used(keyHash), Option.some(business))
        )
    })
  })
)
