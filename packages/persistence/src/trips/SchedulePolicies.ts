/** How a business treats overlapping trips. */
import { SchedulePolicy } from "@livery/domain"
import { rowsAs } from "../sql/rows/Rows.ts"

/** The columns of a business's policy. */
export const policyColumns = Object.keys(SchedulePolicy.fields)

/** Decodes the columns of a business that {@link policyColumns} names. */
export const policiesOf = rowsAs(SchedulePolicy)

/** The policy of a business that does not exist. It is also the default of a new one. */
export const defaultPolicy: SchedulePolicy = {
  clash_policy: "warn",
  drive_time_enforced: false,
  turnaround_minutes: 0,
  early_start_minutes: null
}
