import { Plan, PlanRepository } from "@livery/domain"
import { Effect } from "effect"
import { columnsOf } from "../sql/rows/Columns.ts"
import { execute, oneRow, rowsAs } from "../sql/rows/Rows.ts"
import { lockBusiness } from "../sql/statements/BusinessLock.ts"
import { onPostgres } from "../sql/statements/OnPostgres.ts"

const plans = rowsAs(Plan)

/** Plans in the table `plans`. `lock` locks the business and not the plan, which other businesses share. */
export const layer = onPostgres(PlanRepository, (sql) => ({
  lock: (businessId) =>
    Effect.andThen(
      execute(lockBusiness(sql, businessId)),
      oneRow(
        plans(sql`
          SELECT ${sql.literal(columnsOf(Plan, "p"))}
          FROM businesses b JOIN plans p ON p.plan_id = b.subscription_plan_id
          WHERE b.business_id = ${businessId}`)
      )
    )
}))
