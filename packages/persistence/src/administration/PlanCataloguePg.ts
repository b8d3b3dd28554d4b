/** The domain's `PlanCatalogue` on PostgreSQL. */
import { Array, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { ListedPlan, PlanCatalogue } from "@livery/domain"
import { columnsOf } from "../sql/rows/Columns.ts"
import { pagesOf } from "../sql/lists/Pages.ts"
import { rowsAs } from "../sql/rows/Rows.ts"

const plans = rowsAs(ListedPlan)
const pageOfPlans = pagesOf(ListedPlan)

export const layer = Layer.effect(
  PlanCatalogue,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const columns = sql.literal(columnsOf(ListedPlan))
    return PlanCatalogue.of({
      list: (includeInactive, page) =>
        pageOfPlans(sql, page, {
          columns,
          from: sql`plans`,
          where: includeInactive ? sql`true` : sql`active`,
          order: sql`plan_id`
        }),
      find: (planId) =>
        Effect.map(plans(sql`SELECT ${columns} FROM plans WHERE plan_id = ${planId}::bigint`), Array.head)
    })
  })
)
