/** How a business treats overlapping trips. */
import { SchedulePolicy } from "@livery/domain"
import { rowsAs } from "../sql/rows/Rows.ts"

/** Decodes the columns `clash_policy`, `turnaround_minutes` and `early_start_minutes` of a business. */
export const policiesOf = rowsAs(SchedulePolicy)

/** The policy of a business that does not exist. It is also the default of a new one. */
export const defaultPolicy: SchedulePolicy = {
  clash_policy: "warn",
  turnaround_minutes: 0,
  early_start_minutes: null
}
