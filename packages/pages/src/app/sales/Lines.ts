/** A quote while it is typed: its customer, and its lines, each a trip or a line of text. */
import type { Customer, Quote, QuotesCreateInput, QuotesUpdateInput, VehicleClass } from "@livery/client"
import { locale } from "../../i18n/Language.ts"
import { numberIn } from "../../i18n/Numbers.ts"
import { localOf } from "../Formats.ts"
import { end, emptyDraft, type Place, placeOf } from "../trips/Draft.ts"

/** The trip of a line. */
export interface LineTrip {
  readonly at: string
  readonly from: Place
  readonly to: Place
  readonly vehicleClass: VehicleClass | ""
  readonly people: string
  /** The fields of the trip that the form does not show; they are sent as they were. */
  readonly kept: Readonly<Record<string, unknown>>
  /** The pickup as it was read, while nobody changed it. */
  readonly before: readonly [at: string, instant: unknown] | undefined
}

export interface Line {
  readonly key: number
  readonly description: string
  readonly amount: string
  readonly trip: LineTrip | undefined
}

export interface QuoteDraft {
  readonly customer: Pick<Customer, "customer_id"> | undefined
  readonly name: string
  readonly phone: string
  readonly email: string
  readonly validUntil: string
  readonly lines: ReadonlyArray<Line>
}

let lastKey = 0

export const textLine = (): Line => ({ key: ++lastKey, description: "", amount: "", trip: undefined })

export const tripLine = (): Line => ({
  ...textLine(),
  trip: {
    at: emptyDraft().at,
    from: placeOf(""),
    to: placeOf(""),
    vehicleClass: "",
    people: "",
    kept: {},
    before: undefined
  }
})

export const emptyQuote = (): QuoteDraft => ({
  customer: undefined,
  name: "",
  phone: "",
  email: "",
  validUntil: "",
  lines: [tripLine()]
})

const text = (value: unknown) => (typeof value === "string" || typeof value === "number" ? String(value) : "")

const placeIn = (trip: Readonly<Record<string, unknown>>, name: "pickup" | "dropoff") => ({
  address: text(trip[`${name}_address`]),
  postal_code: (trip[`${name}_postal_code`] ?? null) as string | null,
  lat: (trip[`${name}_lat`] ?? null) as number | null,
  lng: (trip[`${name}_lng`] ?? null) as number | null,
  airport: (trip[`${name}_airport`] ?? null) as string | null
})

/** The fields of a trip that the form shows. */
const shown =
  /^(?:trip_date|(?:pickup|dropoff)_(?:address|postal_code|lat|lng|airport)|vehicle_class|participants_count)$/u

export const draftOf = (quote: Quote): QuoteDraft => ({
  customer: quote.customer_id === null ? undefined : { customer_id: quote.customer_id },
  name: quote.customer_name ?? "",
  phone: quote.customer_phone ?? "",
  email: quote.customer_email ?? "",
  validUntil: quote.valid_until === null ? "" : localOf(quote.valid_until),
  lines: quote.items.map(({ amount, description, trip }) => {
    const at = trip === null ? "" : localOf(text(trip["trip_date"]))
    return {
      ...textLine(),
      description,
      amount: amount === null ? "" : new Intl.NumberFormat(locale, { useGrouping: false }).format(amount),
      trip:
        trip === null
          ? undefined
          : {
              at,
              from: placeIn(trip, "pickup"),
              to: placeIn(trip, "dropoff"),
              vehicleClass: text(trip["vehicle_class"]) as VehicleClass | "",
              people: text(trip["participants_count"]),
              // A passenger of its own stays; the customer of the quote follows the form.
              kept: Object.fromEntries(
                Object.entries(trip).filter(
                  ([name, value]) => !shown.test(name) && value !== (quote as unknown as typeof trip)[name]
                )
              ),
              before: [at, trip["trip_date"]] as const
            }
    }
  })
})

const numberOr = (typed: string) => {
  const number = numberIn(typed, locale)
  return Number.isNaN(number) ? typed : number
}

const tripBody = ({ at, before, from, kept, people, to, vehicleClass }: LineTrip, contact: object) => ({
  ...contact,
  ...kept,
  trip_date: before !== undefined && before[0] === at ? before[1] : at,
  pickup_address: from.address,
  dropoff_address: to.address,
  ...end("pickup", from),
  ...end("dropoff", to),
  ...(vehicleClass === "" ? {} : { vehicle_class: vehicleClass }),
  ...(people === "" ? {} : { participants_count: numberOr(people) })
})

/** The body of the quote. The server names at each field what is missing or wrong. */
export const quoteBody = ({
  customer,
  email,
  lines,
  name,
  phone,
  validUntil
}: QuoteDraft): QuotesCreateInput & QuotesUpdateInput => {
  const contact = {
    ...(customer === undefined ? {} : { customer_id: customer.customer_id }),
    customer_name: name,
    customer_phone: phone === "" ? null : phone,
    customer_email: email === "" ? null : email
  }
  const body = {
    ...contact,
    customer_id: customer?.customer_id ?? null,
    valid_until: validUntil === "" ? null : validUntil,
    items: lines.map(({ amount, description, trip }) => ({
      description,
      amount: amount === "" ? null : numberOr(amount),
      trip: trip === undefined ? null : tripBody(trip, contact)
    }))
  }
  return body as unknown as QuotesCreateInput & QuotesUpdateInput
}
