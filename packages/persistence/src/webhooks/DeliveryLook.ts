/**
 * A dispatcher's look at the queue: claims what is due, and tells what else it found.
 *
 * A look has an id, which all that it claims carries. So what was claimed by a look that nobody heard the answer of,
 * since it was given up or its connection was lost just then, can be given back at the next one: it waits for no lapse.
 */
import type { ClaimedDelivery, Claims, EndpointId, SilentAttempt } from "@livery/domain"
import { Cause, Clock, Effect, Exit } from "effect"
import type { SqlClient } from "effect/sql"
import { randomUUID } from "node:crypto"
import { pgArray } from "../sql/PgArray.ts"
import { claimStatement } from "./DeliveryClaim.ts"
import type { BesideRow, ClaimedRow, EndpointRow, LookRow } from "./LookRow.ts"

const toSilent = (row: BesideRow): SilentAttempt => ({
  deliveryId: row.delivery_id,
  businessId: row.business_id,
  endpointId: row.endpoint_id,
  eventId: row.event_id,
  attempt: row.attempt,
  status: row.told === "revived" ? "pending" : "failed"
})

/** What the rows of a look say. */
const readLook = (claimId: string, rows: ReadonlyArray<LookRow>): Claims => {
  const endpoints = new Map<EndpointId, EndpointRow>()
  const beside: Array<BesideRow> = []
  const claimed: Array<ClaimedRow> = []
  for (const row of rows)
    if (row.told === null) claimed.push(row)
    else if (row.told === "endpoint") endpoints.set(row.endpoint_id, row)
    else beside.push(row)
  return {
    claimed: claimed.flatMap((row): ReadonlyArray<ClaimedDelivery> => {
      const endpoint = endpoints.get(row.endpoint_id)
      if (endpoint === undefined) return []
      return [
        {
          deliveryId: row.delivery_id,
          businessId: endpoint.business_id,
          endpointId: row.endpoint_id,
          eventId: row.event_id,
          eventType: row.event_type,
          body: row.body,
          url: endpoint.url,
          sealedSecret: endpoint.sealed_secret,
          retiredSecrets: endpoint.retired_secrets,
          ageMs: row.age_ms,
          attempt: row.attempt,
          claimId
        }
      ]
    }),
    silent: beside.filter(({ told }) => told !== "unsent").map(toSilent),
    failed: beside.filter(({ told }) => told === "given up" || told === "unsent").length
  }
}

/** The endpoint that was served last when going round from `after`. */
const lastServed = (after: number, claims: ReadonlyArray<ClaimedDelivery>): number => {
  let [ahead, behind] = [0, 0]
  for (const { endpointId } of claims)
    if (endpointId > after) ahead = Math.max(ahead, endpointId)
    else behind = Math.max(behind, endpointId)
  return behind > 0 ? behind : Math.max(ahead, after)
}

// Longer than a statement may run: until then one that was given up may still be carried out. Where statements have no
// limit, what is carried out later than this waits for its lapse.
const unheardFor = 60_000_000_000n

const givenBackEvery = 1_000_000_000n

/** More than is ever in flight. */
const unbounded = 1_000_000

/**
 * Gives back what these looks claimed and what nobody else has locked. It reads all that is in flight, in the order of
 * its index, with a limit that the planner does not know, so that it neither reads the table through nor what is settled.
 */
const giveBack = (sql: SqlClient.SqlClient, looks: ReadonlyArray<string>) =>
  sql`
    WITH unheard AS (
      SELECT d.ctid AS place FROM (
        SELECT d.ctid, d.claim_id FROM webhook_deliveries d
        WHERE d.status = 'pending' AND d.claim_id IS NOT NULL AND d.next_attempt_at > (SELECT clock_timestamp())
        ORDER BY d.next_attempt_at LIMIT (SELECT ${unbounded}::int)
      ) held
      CROSS JOIN LATERAL (
        SELECT d.ctid FROM webhook_deliveries d
        WHERE d.ctid = held.ctid AND d.claim_id = held.claim_id LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED
      ) d
      WHERE held.claim_id = ANY (${pgArray(looks)}::uuid[])
    )
    UPDATE webhook_deliveries d
    SET attempt = d.attempt - 1, claim_id = NULL, next_attempt_at = clock_timestamp()
    WHERE d.ctid = ANY (ARRAY(SELECT place FROM unheard))`.unprepared

/** Makes the function that looks, for one dispatcher: it asks for endpoints in turn, behind the last one served. */
export const makeLook = (sql: SqlClient.SqlClient) => {
  let after = 0
  // The looks whose answer nobody heard, the oldest first, and since when.
  const unheard = new Map<string, bigint>()

  let givenBackAt = 0n

  const giveBackUnheard = Effect.gen(function* () {
    const now = yield* Clock.monotonicTimeNanos
    if (unheard.size === 0 || now - givenBackAt < givenBackEvery) return
    givenBackAt = now
    yield* giveBack(sql, [...unheard.keys()]).pipe(Effect.timeout("2 seconds"))
    for (const [look, since] of unheard) if (now - since > unheardFor) unheard.delete(look)
  }).pipe(
    // What is due can be claimed all the same.
    Effect.catchCause((cause) =>
      Effect.logWarning("Webhook claims of which nobody heard could not be given back", Cause.pretty(cause))
    )
  )

  return Effect.fnUntraced(function* (options: {
    readonly limit: number
    readonly perEndpoint: number
    readonly perBusiness?: number | undefined
  }) {
    yield* giveBackUnheard
    const claimId = randomUUID()
    const rows = yield* Effect.onExit(claimStatement(sql, { ...options, after, claimId }), (exit) =>
      Exit.isSuccess(exit)
        ? Effect.void
        : Effect.map(Clock.monotonicTimeNanos, (now) => unheard.set(claimId, now))
    )
    const look = readLook(claimId, rows)
    after = lastServed(after, look.claimed)
    return look
  })
}
