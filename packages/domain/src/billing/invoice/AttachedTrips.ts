/** The bodies that attach trips to an invoice and detach them. */
import { Schema } from "effect"
import { listOf } from "../../kernel/fields/List.ts"
import { TripId } from "../../kernel/Ids.ts"
import { maxTripsPerRequest } from "./Invoice.ts"
import { taxInput } from "./LineTaxes.ts"

const tripIds = listOf(TripId, { least: 1, most: maxTripsPerRequest })

/** The body that attaches trips: each gets a line at its price. */
export const AttachedTrips = Schema.Struct({
  trip_ids: tripIds,
  ...taxInput
})
export type AttachedTrips = typeof AttachedTrips.Type

/** The body that detaches trips: the lines of these trips go with them. */
export const DetachedTrips = Schema.Struct({ trip_ids: tripIds })
export type DetachedTrips = typeof DetachedTrips.Type
