import {
  BusinessId,
  businessMachine,
  type BusinessStatus,
  isSuspended,
  type MoveDepartures,
  MovedEndpoint,
  MovedKey,
  MoveState,
  SecretBox,
  StoredSums
} from "@livery/domain"
import { DateTime, Deferred, Effect, Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { execute, firstOf, Instant, instant, oneRow, rowsAs } from "../sql/rows/Rows.ts"
import { inStates } from "../sql/rows/States.ts"
import { deliveryStatus } from "../webhooks/StatusConditions.ts"
import { makeBusinessErasure } from "./BusinessErasure.ts"
import { allowChanges, makeBusinessFence } from "./BusinessFence.ts"
import { lockOfMove } from "./UnfinishedMoves.ts"

const movesOf = rowsAs(
  Schema.Struct({
    business_id: BusinessId,
    move_id: Schema.String,
    target_url: Schema.String,
    state: MoveState,
    was_active: Schema.Boolean,
    target_business_id: Schema.NullOr(Schema.Int),
    target_slug: Schema.NullOr(Schema.String),
    moved_at: Schema.NullOr(Instant),
    sums: Schema.NullOr(StoredSums)
  })
)
const keysOf = rowsAs(MovedKey)
const endpointsOf = rowsAs(MovedEndpoint)
const changedOf = rowsAs(Schema.Struct({ changed: Schema.Int }))
const locksOf = rowsAs(Schema.Struct({ is_free: Schema.Boolean }))
const positionsOf = rowsAs(Schema.Struct({ position: Schema.Int }))
const countsOf = rowsAs(Schema.Struct({ kind: Schema.String, count: Schema.Int }))

/** What stays at the old installation, with the rows that are counted. */
const staying: ReadonlyArray<readonly [kind: string, rows: string]> = [
  ["members", "business_members WHERE"],
  ["member_invitations", "member_invitations WHERE"],
  ["driver_accounts", "drivers WHERE user_id IS NOT NULL AND"],
  ["driver_invitations", "driver_invitations WHERE"],
  ["member_calendars", "calendar_links WHERE kind = 'office' AND"],
  ["driver_seats", "driver_seats WHERE"],
  ["files", "uploads WHERE"],
  ["notices", "notices WHERE"],
  ["imports", "imports WHERE"],
  ["monthly_runs", "monthly_runs WHERE"],
  ["events", "event_history WHERE"],
  ["deliveries", "webhook_delivery_history WHERE"]
]

const suspended: BusinessStatus = "D"

/** Whether a row of `businesses` is active. */
const isActive = `status ${inStates(businessMachine, (status) => !isSuspended({ status }))}`

/** What must end first. */
const ending: ReadonlyArray<readonly [kind: string, rows: string]> = [
  ["card_payments", "card_intents WHERE ended_at IS NULL AND"],
  ["deliveries", `webhook_deliveries WHERE status = ${deliveryStatus.pending} AND`],
  ["imports", "imports WHERE finished_at IS NULL AND"]
]

/** Makes the `departures` of `ImportedBusinesses`: the table `business_moves`. */
export const makeDepartures = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { open } = yield* SecretBox
  const { pause, unpause } = yield* makeBusinessFence
  const erase = yield* makeBusinessErasure

  const find = (businessId: BusinessId) =>
    firstOf(
      movesOf(sql`
          SELECT business_id, move_id, target_url, state, was_active, target_business_id, target_slug, moved_at, sums
          FROM business_moves WHERE business_id = ${businessId}`)
    )

  const count = (businessId: BusinessId, kinds: typeof staying) =>
    Effect.map(
      countsOf(
        sql.unsafe(
          kinds
            .map(
              ([kind, rows]) =>
                `SELECT '${kind}' AS kind, count(*)::int8 AS count FROM ${rows} business_id = ${businessId}`
            )
            .join(" UNION ALL ")
        ).unprepared
      ),
      (counts) => Object.fromEntries(counts.map(({ count, kind }) => [kind, count]))
    )

  /** Holds a lock while work runs, on a session of its own, which ends with this program. */
  const alone = Effect.fnUntraced(function* <A, E, R>(
    businessId: BusinessId,
    work: Effect.Effect<A, E, R>
  ): Effect.fn.Return<Option.Option<A>, E, R> {
    const locked = yield* Deferred.make<void>()
    const holding = Effect.gen(function* () {
      yield* sql`SET LOCAL idle_in_transaction_session_timeout = 0`.unprepared
      const [lock] = yield* locksOf(
        sql.unsafe(`SELECT pg_try_advisory_xact_lock(${lockOfMove(String(businessId))}) AS is_free`)
          .unprepared
      )
      if (lock?.is_free !== true) return Option.none<A>()
      Deferred.doneUnsafe(locked, Effect.void)
      return yield* Effect.forever(Effect.delay(sql`SELECT 1`, "5 seconds"))
    })
    return yield* Effect.raceFirst(
      Effect.orDie(sql.withTransaction(holding)),
      Effect.andThen(Deferred.await(locked), Effect.asSome(work))
    )
  })

  return {
    alone,
    find,
    start: Effect.fnUntraced(function* ({ business_id, move_id, target_url }) {
      const now = instant(yield* DateTime.now)
      yield* execute(sql`
          INSERT INTO business_moves (business_id, move_id, target_url, state, was_active, started_at)
          SELECT business_id, ${move_id}, ${target_url}, 'copying', ${sql.literal(isActive)}, ${now}
          FROM businesses WHERE business_id = ${business_id}
          ON CONFLICT DO NOTHING`)
      return yield* Effect.orDie(Effect.flatMap(find(business_id), Effect.fromOption))
    }),
    pause,
    unpause,
    complete: Effect.fnUntraced(function* ({ business_id, move_id }, { businessId, slug, sums }) {
      const now = instant(yield* DateTime.now)
      const { changed } = yield* oneRow(
        changedOf(
          sql
            .withTransaction(
              Effect.gen(function* () {
                yield* sql.unsafe(allowChanges).unprepared
                const rows = yield* sql<object>`
                    UPDATE business_moves SET state = 'moved', moved_at = ${now}, target_business_id = ${businessId},
                      target_slug = ${slug},
                      sums = ${JSON.stringify(sums)}::jsonb
                    WHERE business_id = ${business_id} AND move_id = ${move_id} AND state = 'copying' RETURNING move_id`
                if (rows.length > 0)
                  yield* sql`UPDATE businesses SET status = ${suspended}, updated_at = ${now} WHERE business_id = ${business_id}`
                return [{ changed: rows.length }]
              })
            )
            .pipe(Effect.orDie)
        )
      )
      return changed === 1
    }),
    abort: (businessId) =>
      Effect.map(
        Effect.orDie(sql<object>`
            UPDATE business_moves SET state = 'aborting'
            WHERE business_id = ${businessId} AND state IN ('copying', 'aborting') RETURNING move_id`),
        ({ length }) => length > 0
      ),
    remove: (businessId) =>
      execute(sql`DELETE FROM business_moves WHERE business_id = ${businessId} AND state = 'aborting'`),
    finish: Effect.fnUntraced(function* (businessId) {
      yield* execute(sql`
          UPDATE business_moves SET state = 'finished' WHERE business_id = ${businessId} AND state = 'moved'`)
      yield* erase(businessId, { withAccess: false })
    }),
    credentials: Effect.fnUntraced(function* (businessId) {
      const keys = yield* keysOf(sql`
          SELECT key_hash, masked_key, to_json(created_at) #>> '{}' AS created_at,
            to_json(last_used_at) #>> '{}' AS last_used_at
          FROM api_keys WHERE business_id = ${businessId} ORDER BY key_hash`)
      const sealed = yield* endpointsOf(sql`
          SELECT endpoint_id, url, to_json(events) AS events, status, sealed_secret AS secret,
            to_json(created_at) #>> '{}' AS created_at, to_json(updated_at) #>> '{}' AS updated_at
          FROM webhook_endpoints WHERE business_id = ${businessId} AND deleted_at IS NULL ORDER BY endpoint_id`)
      const endpoints = yield* Effect.forEach(sealed, (endpoint) =>
        Effect.map(open(endpoint.secret), (secret) => ({ ...endpoint, secret }))
      )
      const [feed] = yield* positionsOf(sql`
          SELECT coalesce((
              SELECT position FROM event_history WHERE business_id = ${businessId} AND position IS NOT NULL
              ORDER BY position DESC LIMIT 1
            ), (SELECT dropped_position FROM event_feeds WHERE business_id = ${businessId}), 0)
            + (SELECT count(*) FROM events WHERE business_id = ${businessId} AND position IS NULL AND NOT sample)
            AS position`)
      return { keys, endpoints, last_position: feed?.position ?? 0 }
    }),
    leftBehind: (businessId) => count(businessId, staying),
    unfinished: Effect.fnUntraced(function* (businessId) {
      const counts = yield* count(businessId, ending)
      const [erasures] = yield* countsOf(sql`
          SELECT 'erasures' AS kind, count(*)::int8 AS count FROM erasures
          WHERE person ->> 'business_id' = ${String(businessId)}`)
      return {
        card_payments: counts["card_payments"] ?? 0,
        deliveries: counts["deliveries"] ?? 0,
        imports: counts["imports"] ?? 0,
        erasures: erasures?.count ?? 0
      }
    })
  } satisfies MoveDepartures
})
