/** The filters of the list of trips. */
import { Schema } from "effect"
import { dayRangeFields } from "../../kernel/time/DayRange.ts"
import { tripCriteriaFields } from "./TripCriteria.ts"
import { PaymentStatus, TripStatus } from "../trip/TripStatus.ts"

/**
 * The filters of the list besides {@link tripCriteriaFields}. `date_from` and `date_to` are days of the pickup; `invoiced` says
 * whether the trip is on an invoice.
 */
export const TripFilter = Schema.Struct({
  status: Schema.optionalKey(TripStatus),
  payment_status: Schema.optionalKey(PaymentStatus),
  invoiced: Schema.optionalKey(Schema.Boolean),
  filter: Schema.optionalKey(Schema.Literals(["upcoming", "previous"])),
  ...dayRangeFields,
  ...tripCriteriaFields
})
export type TripFilter = typeof TripFilter.Type
