/** The query parameters that the list of trips and the dispatch board share. */
import { Schema } from "effect"
import { CarId, CustomerId, DriverId, tripCriteriaFields } from "@livery/domain/records"
import { wholeNumber } from "../http/Contract.ts"

/** `tripCriteriaFields`, with ids in digits. */
export const tripCriteriaQuery = {
  ...tripCriteriaFields,
  driver_id: Schema.optionalKey(wholeNumber(DriverId)),
  car_id: Schema.optionalKey(wholeNumber(CarId)),
  customer_id: Schema.optionalKey(wholeNumber(CustomerId))
}
