/** The documentation of the filters in queries. */
import { type Json, objectOf } from "./Json.ts"

/**
 * A description and an example of each filter, by its name. Those of a filter's schema replace them where a list uses the
 * name in another sense. `status` has other values in each list, and so no example.
 */
const filters: Readonly<Record<string, { readonly description: string; readonly example?: unknown }>> = {
  search: {
    description:
      "Words; each has to be the beginning of a word of the record, without regard to case and accents. A trip is found by " +
      "the reference, the passenger's name, email and phone number, the flight number, both addresses, external_ref, " +
      "po_number and cost_center; a customer by the name, the company, the email and the phone number.",
    example: "zoe bahnhofstr"
  },
  status: { description: "Records in this status." },
  payment_status: { description: "Records with this payment status.", example: "unpaid" },
  invoiced: { description: "Trips that are on an invoice (`true`), or on none (`false`).", example: false },
  driver_id: { description: "Trips that this driver is on.", example: 3 },
  car_id: { description: "Trips that are driven with this car.", example: 7 },
  customer_id: { description: "Records of this customer.", example: 31 },
  group_id: { description: "Trips of this group.", example: "wedding-2031" },
  driver_status: {
    description: "Trips whose assignments, taken together, have this status.",
    example: "unassigned"
  },
  trip_type: { description: "Trips of this type.", example: "airport_arrival" },
  vehicle_class: { description: "Trips that are driven with a car of this class.", example: "van" },
  ordered_class: { description: "Trips for which this class was ordered.", example: "van" },
  external_ref: { description: "The trip with this name in another system.", example: "ORDER-4711" },
  po_number: { description: "Trips with this purchase order of the customer.", example: "PO-2031-17" },
  cost_center: { description: "Trips with this cost centre of the customer.", example: "Sales 9" },
  reference: {
    description: "The record with this reference, in upper or lower case.",
    example: "TR-4Q7X0M2K9ZD"
  },
  flight_number: {
    description: "Trips with this flight: BA117, ba 117 and BA 0117 are the same.",
    example: "LX 318"
  },
  updated_since: {
    description:
      "Trips that were changed at this time or later: RFC 3339, or without an offset a local time on the business's clock. " +
      "The list of trips is then in the order of the changes, the earliest first.",
    example: "2026-12-24T18:00:00Z"
  },
  filter: {
    description:
      "`upcoming` returns the records whose time is still to come, the soonest first; `previous` the others.",
    example: "upcoming"
  },
  date: {
    description: "The day of the board, on the business's clock; today by default.",
    example: "2026-12-24"
  },
  counts: {
    description:
      "`true`: with `meta.counts` also if the page does not have all trips of the board, which then takes longer.",
    example: true
  },
  dry_run: {
    description:
      "`true`: the response is that of the change, without tokens, but nothing is changed; an `Idempotency-Key` has no effect."
  },
  date_from: {
    description:
      "The first day, on the business's clock: of the pickup of a trip, the start of a booking, the creation of a quote or an invoice.",
    example: "2026-12-24"
  },
  date_to: { description: "The last day, as `date_from`.", example: "2026-12-31" }
}

/** Adds the description and the example to a query parameter that is a filter. */
export const describedFilter = (parameter: unknown): unknown => {
  const { in: place, name, ...rest } = objectOf(parameter)
  const filter = place === "query" && typeof name === "string" ? filters[name] : undefined
  if (filter === undefined) return parameter
  const {
    description = filter.description,
    examples: [example = filter.example] = [],
    ...schema
  }: Json & { readonly examples?: ReadonlyArray<unknown> } = objectOf(rest["schema"])
  return { name, in: place, description, ...(example === undefined ? {} : { example }), ...rest, schema }
}
