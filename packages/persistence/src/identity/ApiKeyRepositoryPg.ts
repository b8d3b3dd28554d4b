import { Array, Effect, Layer, Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { ActingBusiness, ApiKey, ApiKeyRepository, maxKeysPerBusiness, tooManyKeys } from "@livery/domain"
import { columnsOf } from "../sql/rows/Columns.ts"
import { lockBusiness } from "../sql/statements/BusinessLock.ts"
import { compiled } from "../sql/statements/Compiled.ts"
import { rereading } from "../sql/lists/Rereading.ts"
import { instant, rowsAs } from "../sql/rows/Rows.ts"
import { makeApiKeyUses } from "./ApiKeyUses.ts"

const actingBusinesses = rowsAs(ActingBusiness)
const businessesOfKeys = rowsAs(Schema.Struct({ key_hash: Schema.String, ...ActingBusiness.fields }))
const apiKeys = rowsAs(ApiKey)
const hashes = rowsAs(Schema.Struct({ key_hash: Schema.String }))

/**
 * API keys in the table `api_keys`, as hashes. A fiber of the layer records when a key was used last, at most once a
 * minute.
 */
export const layer = Layer.effect(
  ApiKeyRepository,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const used = yield* makeApiKeyUses(sql)
    const business = sql.literal(columnsOf(ActingBusiness, "b"))
    const businessOf = compiled<{ readonly keyHash: string }>(
      sql,
      ({ keyHash }) => sql`
        SELECT ${business}
        FROM api_keys k JOIN businesses b USING (business_id)
        WHERE k.key_hash = ${keyHash}`
    )
    return ApiKeyRepository.of({
      insert: Effect.fnUntraced(
        function* (businessId, key) {
          yield* lockBusiness(sql, businessId)
          const inserted = yield* hashes(sql`
            INSERT INTO api_keys (business_id, key_hash, masked_key, created_by, created_at)
            SELECT ${businessId}, ${key.keyHash}, ${key.maskedKey}, ${key.createdBy},
                   ${instant(key.createdAt)}::timestamptz
            WHERE (SELECT count(*) FROM api_keys WHERE business_id = ${businessId}) < ${maxKeysPerBusiness}::int
            RETURNING key_hash`)
          if (inserted.length === 0) return yield* tooManyKeys()
        },
        sql.withTransaction,
        Effect.catchTag("SqlError", Effect.die)
      ),
      list: (businessId) =>
        apiKeys(sql`
          SELECT ${sql.literal(columnsOf(ApiKey))} FROM api_keys
          WHERE business_id = ${businessId}
          ORDER BY created_at DESC, key_hash`),
      remove: (businessId, keyHash) =>
        Effect.map(
          hashes(sql`
            DELETE FROM api_keys WHERE business_id = ${businessId} AND key_hash = ${keyHash}
            RETURNING key_hash`),
          Array.isReadonlyArrayNonEmpty
        ),
      businessOf: (keyHash) =>
        Effect.flatMap(actingBusinesses(rereading(sql, businessOf({ keyHash }))), ([business]) =>
          business === undefined ? Effect.succeedNone : Effect.as(used(keyHash), Option.some(business))
        ),
      businessesOf: (keyHashes) =>
        Effect.map(
          businessesOfKeys(
            rereading(
              sql,
              sql`
                SELECT k.key_hash, ${business}
                FROM api_keys k JOIN businesses b USING (business_id)
                WHERE k.key_hash = ANY (${keyHashes}::text[])`
            )
          ),
          Array.map(({ key_hash: keyHash, ...business }) => ({ keyHash, business }))
        )
    })
  })
)
