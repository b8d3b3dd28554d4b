/** Seals the secrets of all webhook endpoints anew, after the secret of the installation was changed. */
import { type OnProgress, SecretBox } from "@livery/domain"
import { Effect, Exit } from "effect"
import { SqlClient } from "effect/sql"

/** The key of an endpoint. Both ids are texts, as the database writes them. */
interface EndpointKey {
  readonly business_id: string
  readonly endpoint_id: string
}

interface EndpointSecrets {
  readonly sealed_secret: string
  readonly retired_secrets: ReadonlyArray<{ readonly sealed: string; readonly until: string }>
}

const batchSize = 500

/** Opens a sealed text under any accepted secret and seals it under the current one. */
const resealText = Effect.fnUntraced(function* (sealed: string) {
  const { open, seal } = yield* SecretBox
  return yield* seal(yield* open(sealed))
})

/** Seals the secrets of an endpoint anew, and returns false if one cannot be decrypted. */
const resealEndpoint = Effect.fnUntraced(function* ({ business_id, endpoint_id }: EndpointKey) {
  const sql = yield* SqlClient.SqlClient
  const row = sql`business_id = ${business_id}::bigint AND endpoint_id = ${endpoint_id}::bigint`
  const work = Effect.gen(function* () {
    // Locked, so that a secret that is rotated at the same time is not overwritten.
    const [secrets] = yield* sql<EndpointSecrets>`SELECT sealed_secret, retired_secrets
      FROM webhook_endpoints WHERE ${row} AND deleted_at IS NULL FOR NO KEY UPDATE`
    if (secrets === undefined) return true
    const resealed = yield* Effect.exit(
      Effect.all({
        current: resealText(secrets.sealed_secret),
        retired: Effect.forEach(secrets.retired_secrets, ({ sealed, until }) =>
          Effect.map(resealText(sealed), (anew) => ({ sealed: anew, until }))
        )
      })
    )
    if (Exit.isFailure(resealed)) return false
    const { current, retired } = resealed.value
    yield* sql`UPDATE webhook_endpoints
      SET sealed_secret = ${current}, retired_secrets = ${JSON.stringify(retired)}::jsonb WHERE ${row}`
    return true
  })
  return yield* sql.withTransaction(work)
})

/** The result of {@link reseal}: how many endpoints it sealed anew, and which it could not decrypt. */
export interface ResealedEndpoints {
  readonly resealed: number
  /** Sealed under a secret that is neither the current nor the previous one, and left unchanged. */
  readonly unreadable: ReadonlyArray<{ readonly business_id: number; readonly endpoint_id: number }>
}

/**
 * Seals the secrets of every endpoint under the current secret; a deleted endpoint has none. Each endpoint is a transaction
 * of its own. It can be repeated, also after an interruption. The progress is in endpoints.
 */
export const reseal = Effect.fnUntraced(function* (onProgress: OnProgress) {
  const sql = yield* SqlClient.SqlClient
  const [all] = yield* sql<{ count: number }>`SELECT count(*)::int AS count FROM webhook_endpoints
    WHERE deleted_at IS NULL`
  const unreadable: Array<ResealedEndpoints["unreadable"][number]> = []
  let resealed = 0
  let last: EndpointKey | undefined = { business_id: "0", endpoint_id: "0" }
  while (last !== undefined) {
    const { business_id, endpoint_id }: EndpointKey = last
    const batch: ReadonlyArray<EndpointKey> = yield* sql<EndpointKey>`
      SELECT business_id::text, endpoint_id::text FROM webhook_endpoints
      WHERE deleted_at IS NULL AND (business_id, endpoint_id) > (${business_id}::bigint, ${endpoint_id}::bigint)
      ORDER BY webhook_endpoints.business_id, webhook_endpoints.endpoint_id LIMIT ${batchSize}`
    for (const key of batch) {
      if (yield* resealEndpoint(key)) resealed++
      else unreadable.push({ business_id: Number(key.business_id), endpoint_id: Number(key.endpoint_id) })
    }
    last = batch.at(-1)
    onProgress(resealed + unreadable.length, all?.count ?? 0)
  }
  return { resealed, unreadable } satisfies ResealedEndpoints
})
