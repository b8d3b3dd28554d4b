/** The domain's `DeliveryQueue` on PostgreSQL: any number of dispatchers may share one database. */
import { DeliveryQueue, traced } from "@livery/domain"
import type { AttemptResult, Backlog, DeliveryVerdict } from "@livery/domain"
import type { Layer } from "effect"
import { Effect, Schema } from "effect"
import type { SqlClient } from "effect/sql"
import { type SqlError } from "effect/sql"
import { backlogStatement } from "./BacklogStatement.ts"
import { makeClaimBatch } from "./ClaimBatch.ts"
import type { ClaimKey } from "./ClaimedRows.ts"
import { recordStatement } from "./RecordStatement.ts"
import { releaseStatement } from "./ReleaseStatement.ts"
import { onPostgres } from "../sql/statements/OnPostgres.ts"

const decodeBacklog = Schema.decodeUnknownEffect(
  Schema.Array(Schema.Struct({ due: Schema.Int, oldest: Schema.Finite }))
)

/** Counts the deliveries that are due. */
export const readBacklog = (sql: SqlClient.SqlClient): Effect.Effect<Backlog> =>
  backlogStatement(sql).pipe(
    Effect.flatMap(decodeBacklog),
    Effect.map(([row]) => ({ due: row?.due ?? 0, oldestDueSeconds: row?.oldest ?? 0 })),
    Effect.orDie,
    Effect.withSpan("DeliveryQueuePg.backlog")
  )

/**
 * Deliveries in the table `webhook_deliveries`, each with its attempts. Times are the database's, except the start of
 * an attempt, which is the dispatcher's.
 *
 * - `claim` serves endpoints in round-robin order, from the one after the last that it served.
 * - `record` and `release` are fenced by the claim's id: nothing is changed for a claim that another dispatcher has
 *   taken over, or that ended before. They skip locked deliveries, so that a transaction that holds a lock for
 *   long delays no other delivery.
 */
export const layer: Layer.Layer<DeliveryQueue, never, SqlClient.SqlClient> = onPostgres(
  DeliveryQueue,
  (sql) => {
    const record = traced("DeliveryQueuePg.record")(function* (results: ReadonlyArray<AttemptResult>) {
      if (results.length === 0) return []
      // Not decoded by a schema, because that is too slow per delivery.
      const rows = yield* recordStatement(sql, results)
      const verdicts: Array<DeliveryVerdict> = results.map(() => "late")
      for (const { nths, verdict } of rows) for (const nth of nths) verdicts[nth - 1] = verdict
      return verdicts
    }, Effect.orDie)

    const release = traced("DeliveryQueuePg.release")(function* <C extends ClaimKey>(
      claims: ReadonlyArray<C>
    ): Effect.fn.Return<ReadonlyArray<C>, SqlError.SqlError> {
      if (claims.length === 0) return []
      const locked = yield* releaseStatement(sql, claims)
      return locked.flatMap(({ nth }) => claims[nth - 1] ?? [])
    }, Effect.orDie)

    const claim = traced("DeliveryQueuePg.claim")(makeClaimBatch(sql, release), Effect.orDie)

    return { claim, record, release, backlog: readBacklog(sql) }
  }
)
