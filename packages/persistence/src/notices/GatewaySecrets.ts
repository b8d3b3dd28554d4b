/** Seals the gateways for text messages anew, after the secret of the installation was changed. */
import { SecretBox } from "@livery/domain"
import { Effect, Exit } from "effect"
import { SqlClient } from "effect/sql"

interface SealedRow {
  readonly business_id: string
  readonly sealed_gateway: string
}

/**
 * Seals the gateway of every business under the current secret, and returns the ids of the businesses whose gateway cannot be
 * decrypted; these are left unchanged. Each is a transaction of its own. It can be repeated.
 */
export const reseal = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { open, seal } = yield* SecretBox
  const unreadable: Array<number> = []
  const found = yield* sql<{ business_id: string }>`
    SELECT business_id::text FROM notice_settings WHERE sealed_gateway IS NOT NULL ORDER BY notice_settings.business_id`
  for (const { business_id } of found) {
    const work = Effect.gen(function* () {
      // Locked, so that a gateway that is set at the same time is not overwritten.
      const [row] = yield* sql<SealedRow>`
        SELECT sealed_gateway FROM notice_settings WHERE business_id = ${business_id}::bigint FOR NO KEY UPDATE`
      if (!row?.sealed_gateway) return
      const anew = yield* Effect.exit(Effect.flatMap(open(row.sealed_gateway), seal))
      if (Exit.isFailure(anew)) unreadable.push(Number(business_id))
      else
        yield* sql`
          UPDATE notice_settings SET sealed_gateway = ${anew.value} WHERE business_id = ${business_id}::bigint`
    })
    yield* sql.withTransaction(work)
  }
  return unreadable
})
