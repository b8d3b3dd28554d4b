/** What a visitor has typed, as texts. */
import type { FoundPlace } from "./Business.ts"

/** The kinds of child seats that the page offers. */
export const seatTypes = ["infant", "child", "booster"] as const

/**
 * The form. `pickup_code` and `dropoff_code` have a postal code, an airport or coordinates, from which the price is found;
 * `pickup_area` and `dropoff_area` have what was typed for it, or the name of the chosen zone. `back` is a way back.
 */
export const emptyDraft = {
  product: "",
  hourly: false,
  hours: "3",
  pickup: "",
  pickup_area: "",
  pickup_code: "",
  dropoff: "",
  dropoff_area: "",
  dropoff_code: "",
  date: "",
  time: "",
  back: false,
  back_date: "",
  back_time: "",
  passengers: "1",
  luggage: "0",
  infant: "0",
  child: "0",
  booster: "0",
  flight: "",
  vehicle_class: "",
  name: "",
  email: "",
  phone: "",
  sign: "",
  notes: ""
}

export type Draft = typeof emptyDraft

/** The fields that decide a price. */
export const pricedBy: ReadonlySet<string> = new Set<keyof Draft>([
  "product",
  "hourly",
  "hours",
  "pickup",
  "pickup_code",
  "dropoff",
  "dropoff_code",
  "date",
  "time",
  "back",
  "back_date",
  "back_time",
  "passengers",
  "luggage",
  ...seatTypes
])

/** The start on the clock of the business; empty if a part of it is missing. */
export const startOf = ({ date, time }: Draft): string =>
  date === "" || time === "" ? "" : `${date}T${time}`

/** The ride from the destination to the start, with the same people. */
export const reversed = (draft: Draft): Draft => ({
  ...draft,
  pickup: draft.dropoff,
  pickup_area: draft.dropoff_area,
  pickup_code: draft.dropoff_code,
  dropoff: draft.pickup,
  dropoff_area: draft.pickup_area,
  dropoff_code: draft.pickup_code,
  date: draft.back_date,
  time: draft.back_time,
  back: false,
  back_date: "",
  back_time: "",
  flight: ""
})

/** The rides of the form: the way there, and the way back if it is wanted. */
export const waysOf = (draft: Draft): ReadonlyArray<Draft> =>
  draft.back && !draft.hourly && draft.product === "" ? [draft, reversed(draft)] : [draft]

/** The code of a place that was found. */
export const codeOf = ({ airport, lat, lng, postal_code }: FoundPlace): string => {
  if (airport !== null) return airport
  if (lat !== null && lng !== null) return `${lat.toFixed(6)}, ${lng.toFixed(6)}`
  return postal_code ?? ""
}
