import { ArrivalState, type MoveArrivals, BusinessId, MoveState, SecretBox } from "@livery/domain"
import { Effect, Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { execute, firstOf, rowsAs } from "../sql/rows/Rows.ts"
import { makeBusinessErasure } from "./BusinessErasure.ts"
import { quotedNames } from "./BusinessTables.ts"

const arrivalsOf = rowsAs(
  Schema.Struct({
    move_id: Schema.String,
    business_id: BusinessId,
    state: ArrivalState,
    slug: Schema.String
  })
)
const homesOf = rowsAs(
  Schema.Struct({ business_id: BusinessId, state: Schema.NullOr(MoveState), slug: Schema.String })
)
const plansOf = rowsAs(Schema.Struct({ plan_id: Schema.Int }))
const businessesOf = rowsAs(Schema.Struct({ business_id: BusinessId }))

/** Makes the `arrivals` of `ImportedBusinesses`: the table `business_arrivals`. */
export const makeArrivals = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { seal } = yield* SecretBox
  const erase = yield* makeBusinessErasure

  /** Replaces the columns of a business by those of an import; false if its plan does not exist. */
  const overwrite = Effect.fnUntraced(function* (
    businessId: BusinessId,
    business: Readonly<Record<string, unknown>>,
    code: string
  ) {
    const [plan] = yield* plansOf(sql`SELECT plan_id FROM plans WHERE code = ${code}`)
    if (plan === undefined) return false
    const row = { ...business, subscription_plan_id: plan.plan_id }
    const columns = quotedNames(Object.keys(row))
    yield* execute(
      sql.unsafe(
        `UPDATE businesses SET (${columns}) = (SELECT ${columns} FROM jsonb_populate_record(NULL::businesses, $1::jsonb))
           WHERE business_id = $2`,
        [JSON.stringify(row), businessId]
      )
    )
    return true
  })

  return {
    find: (moveId) =>
      firstOf(
        arrivalsOf(sql`
            SELECT a.move_id, a.business_id, a.state, b.vendor_slug AS slug
            FROM business_arrivals a JOIN businesses b ON b.business_id = a.business_id
            WHERE a.move_id = ${moveId}`)
      ),
    start: ({ business_id, move_id }) =>
      execute(sql`
          INSERT INTO business_arrivals (move_id, business_id, state) VALUES (${move_id}, ${business_id}, 'copying')`),
    setState: (moveId, state) =>
      execute(sql`UPDATE business_arrivals SET state = ${state} WHERE move_id = ${moveId}`),
    becomeHome: Effect.fnUntraced(function* ({ business_id, move_id }) {
      yield* execute(
        sql`DELETE FROM business_moves WHERE business_id = ${business_id} AND state = 'finished'`
      )
      yield* execute(sql`UPDATE business_arrivals SET state = 'open' WHERE move_id = ${move_id}`)
    }),
    storeCredentials: Effect.fnUntraced(function* (businessId, { endpoints, keys, last_position }, userId) {
      const hashes = keys.map(({ key_hash }) => key_hash)
      yield* execute(sql`
          DELETE FROM api_keys WHERE business_id = ${businessId} AND key_hash <> ALL (${hashes}::text[])`)
      yield* execute(sql`
          INSERT INTO api_keys (business_id, key_hash, masked_key, created_by, created_at, last_used_at)
          SELECT ${businessId}, key_hash, masked_key, ${userId}, created_at, last_used_at
          FROM jsonb_to_recordset(${JSON.stringify(keys)}::jsonb)
            AS k (key_hash text, masked_key text, created_at timestamptz, last_used_at timestamptz)
          ON CONFLICT DO NOTHING`)
      const ids = endpoints.map(({ endpoint_id }) => endpoint_id)
      yield* execute(sql`
          DELETE FROM webhook_endpoints
          WHERE business_id = ${businessId} AND endpoint_id <> ALL (${ids}::bigint[])`)
      const sealed = yield* Effect.forEach(endpoints, (endpoint) =>
        Effect.map(seal(endpoint.secret), (secret) => ({ ...endpoint, secret }))
      )
      yield* execute(sql`
          INSERT INTO webhook_endpoints
            (business_id, endpoint_id, url, events, status, sealed_secret, created_at, updated_at)
          OVERRIDING SYSTEM VALUE
          SELECT ${businessId}, endpoint_id, url, ARRAY(SELECT jsonb_array_elements_text(events)), status, secret,
            created_at, updated_at
          FROM jsonb_to_recordset(${JSON.stringify(sealed)}::jsonb) AS e (endpoint_id bigint, url text, events jsonb,
            status text, secret text, created_at timestamptz, updated_at timestamptz)
          ON CONFLICT (business_id, endpoint_id) DO UPDATE SET url = EXCLUDED.url, events = EXCLUDED.events,
            status = EXCLUDED.status, sealed_secret = EXCLUDED.sealed_secret, updated_at = EXCLUDED.updated_at`)
      yield* execute(sql`
          INSERT INTO event_feeds (business_id, dropped_position) VALUES (${businessId}, ${last_position})
          ON CONFLICT (business_id) DO UPDATE SET dropped_position = EXCLUDED.dropped_position`)
    }),
    discard: Effect.fnUntraced(function* ({ business_id, move_id }) {
      const wasHere = yield* businessesOf(sql`
          SELECT business_id FROM business_moves WHERE business_id = ${business_id} AND state = 'finished'`)
      const isNew = wasHere.length === 0
      const named = yield* businessesOf(sql`
          SELECT business_id FROM audit_history WHERE business_id = ${business_id}
          UNION ALL SELECT business_id FROM saas_invoices WHERE business_id = ${business_id} LIMIT 1`)
      if (isNew && named.length > 0) return false
      yield* erase(business_id, { withAccess: isNew })
      yield* Effect.orDie(
        sql.withTransaction(
          Effect.gen(function* () {
            yield* sql`DELETE FROM business_arrivals WHERE move_id = ${move_id}`
            if (isNew) yield* sql`DELETE FROM businesses WHERE business_id = ${business_id}`
          })
        )
      )
      return true
    }),
    ofBusiness: (businessId) =>
      firstOf(
        arrivalsOf(sql`
            SELECT a.move_id, a.business_id, a.state, b.vendor_slug AS slug
            FROM business_arrivals a JOIN businesses b ON b.business_id = a.business_id
            WHERE a.business_id = ${businessId} AND a.state <> 'open'`)
      ),
    hasPlan: (code) =>
      Effect.map(plansOf(sql`SELECT plan_id FROM plans WHERE code = ${code}`), ({ length }) => length > 0),
    refresh: overwrite,
    reuse: Effect.fnUntraced(function* (business, code) {
      const { link_key: key } = business
      if (typeof key !== "string") return Option.none()
      // Apart from the change, because a distributed database has the two tables in different places.
      const [home] = yield* businessesOf(sql`
          SELECT b.business_id FROM businesses b JOIN business_moves m USING (business_id)
          WHERE b.link_key = ${key} AND m.state = 'finished'`)
      if (home === undefined) return Option.none()
      return (yield* overwrite(home.business_id, business, code))
        ? Option.some(home.business_id)
        : Option.none()
    }),
    homeOf: (linkKey) =>
      firstOf(
        homesOf(sql`
            SELECT b.business_id, m.state, b.vendor_slug AS slug FROM businesses b
            LEFT JOIN business_moves m ON m.business_id = b.business_id WHERE b.link_key = ${linkKey}`)
      )
  } satisfies MoveArrivals
})
