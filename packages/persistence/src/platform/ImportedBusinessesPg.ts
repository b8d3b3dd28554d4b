import {
  BusinessId,
  type Conflict,
  ImportedBusinesses,
  type RowValues,
  slugTaken,
  transferActions
} from "@livery/domain"
import { Effect, Layer, Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { execute, rowsAs, firstOf } from "../sql/rows/Rows.ts"
import { quotedNames } from "./BusinessTables.ts"
import { makeArrivals } from "./Arrivals.ts"
import { makeDepartures } from "./Departures.ts"

const importsOf = rowsAs(Schema.Struct({ businessId: BusinessId, isComplete: Schema.Boolean }))
const plansOf = rowsAs(Schema.Struct({ plan_id: Schema.Int }))
const businessesOf = rowsAs(Schema.Struct({ business_id: BusinessId }))

export const layer = Layer.effect(
  ImportedBusinesses,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const departures = yield* makeDepartures
    const arrivals = yield* makeArrivals
    const insert = Effect.fnUntraced(function* (
      business: RowValues,
      code: string
    ): Effect.fn.Return<Option.Option<BusinessId>, Conflict> {
      const [plan] = yield* plansOf(sql`SELECT plan_id FROM plans WHERE code = ${code}`)
      if (plan === undefined) return Option.none()
      const row = { ...business, subscription_plan_id: plan.plan_id }
      const columns = quotedNames(Object.keys(row))
      const created = yield* businessesOf(
        sql.unsafe(
          `INSERT INTO businesses (${columns}) SELECT ${columns} FROM jsonb_populate_record(NULL::businesses, $1::jsonb)
         ON CONFLICT (vendor_slug) DO NOTHING RETURNING business_id`,
          [JSON.stringify(row)]
        )
      )
      const [stored] = created
      return stored === undefined ? yield* slugTaken() : Option.some(stored.business_id)
    })

    return ImportedBusinesses.of({
      departures,
      arrivals,
      find: (sha256) =>
        firstOf(
          importsOf(sql`
          SELECT a.business_id AS "businessId", EXISTS (
            SELECT FROM audit_history d
            WHERE d.action = ${transferActions.imported} AND d.subject = a.subject) AS "isComplete"
          FROM audit_history a
          WHERE a.action = ${transferActions.importStarted} AND a.after ->> 'sha256' = ${sha256}
          ORDER BY a.audit_id DESC LIMIT 1`)
        ),
      insert,
      setStatus: (businessId, status) =>
        execute(sql`UPDATE businesses SET status = ${status} WHERE business_id = ${businessId}`)
    })
  })
)
