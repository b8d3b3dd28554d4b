/** The query parameters that the list of trips and the dispatch board share. */
import { Schema } from "effect"
import { CarId, CustomerId, DriverId, tripCriteriaFields } from "@livery/domain"
import { wholeNumber } from "../http/contract/Contract.ts"

/** `tripCriteriaFields`, with ids in digits. */
export const tripCriteriaQuery = {
  ...tripCriteriaFields,
  driver_id: Schema.optionalKey(wholeNumber(DriverId)),
  car_id: Schema.optionalKey(wholeNumber(CarId)),
  customer_id: Schema.optionalKey(wholeNumber(CustomerId))
}
