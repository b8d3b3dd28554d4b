import { Plan, PlanRepository } from "@livery/domain"
import { columnsOf } from "../sql/rows/Columns.ts"
import { oneRow, rowsAs } from "../sql/rows/Rows.ts"
import { onPostgres } from "../sql/statements/OnPostgres.ts"

const plans = rowsAs(Plan)

/**
 * Plans in the table `plans`. `lock` locks the row of the business, not that of the plan, which other businesses share.
 */
export const layer = onPostgres(PlanRepository, (sql) => ({
  lock: (businessId) =>
    oneRow(
      plans(sql`
          SELECT ${sql.literal(columnsOf(Plan, "p"))}
          FROM businesses b JOIN plans p ON p.plan_id = b.subscription_plan_id
          WHERE b.business_id = ${businessId} FOR NO KEY UPDATE OF b`)
    )
}))
