import { ListedPlan, PlanCatalogue } from "@livery/domain"
import { columnsOf } from "../sql/rows/Columns.ts"
import { pagesOf } from "../sql/lists/Pages.ts"
import { rowsAs, firstOf } from "../sql/rows/Rows.ts"
import { onPostgres } from "../sql/statements/OnPostgres.ts"

const plans = rowsAs(ListedPlan)
const pageOfPlans = pagesOf(ListedPlan)

export const layer = onPostgres(PlanCatalogue, (sql) => {
  const columns = sql.literal(columnsOf(ListedPlan))
  return {
    list: (includeInactive, page) =>
      pageOfPlans(sql, page, {
        columns,
        from: sql`plans`,
        where: includeInactive ? sql`true` : sql`active`,
        order: sql`plan_id`
      }),
    find: (planId) => firstOf(plans(sql`SELECT ${columns} FROM plans WHERE plan_id = ${planId}::bigint`))
  }
})
