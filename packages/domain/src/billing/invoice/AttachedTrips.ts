/** The bodies that attach trips to an invoice and detach them. */
import { Schema } from "effect"
import * as Field from "../../kernel/fields/Field.ts"
import { listOf } from "../../kernel/fields/List.ts"
import { TripId } from "../../kernel/Ids.ts"
import { maxTripsPerRequest } from "./Invoice.ts"
import { taxRate } from "./InvoiceLine.ts"

const tripIds = listOf(TripId, { least: 1, most: maxTripsPerRequest })

/** The body that attaches trips: each gets a line at its price, taxed at `tax_rate`. */
export const AttachedTrips = Schema.Struct({
  trip_ids: tripIds,
  tax_rate: Field.withDefault(taxRate, 0).input
})
export type AttachedTrips = typeof AttachedTrips.Type

/** The body that detaches trips: the lines of these trips go with them. */
export const DetachedTrips = Schema.Struct({ trip_ids: tripIds })
export type DetachedTrips = typeof DetachedTrips.Type
