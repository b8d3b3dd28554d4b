/**
 * The kinds of values that records hold. Each kind says once how callers write a value, how it is stored, and how
 * responses return it. `Field.ts` makes the fields of a record from them.
 *
 * Only what callers write is checked. `stored` and `wire` have the shape of a value without its bounds, so that a row
 * that was stored under wider bounds can still be read; `wire` states the bounds for OpenAPI.
 */
import { type DateTime, Schema } from "effect"
import { Currency } from "../money/Currency.ts"
import { MajorAmount } from "../money/Money.ts"
import { CalendarDay, OptionalTimestamp, rfc3339, Timestamp, TimeZone } from "../time/WallClock.ts"
import { AirportCode, airportCodeOrBlank } from "./AirportCode.ts"
import { Latitude, Longitude } from "./Coordinates.ts"
import { EmailAddress, emailAddressOrBlank } from "./EmailAddress.ts"
import { between, check } from "./FieldIssue.ts"
import { listOf as boundedListOf } from "./List.ts"
import { name as requiredName, nameOrBlank } from "./Name.ts"
import { oneOf as oneOfWords } from "./OneOf.ts"
import { text as requiredText, textOrBlank } from "./Text.ts"
import { webAddressOrBlank } from "./WebAddress.ts"

/** A kind of value. */
export interface Value<
  Required extends Schema.Constraint,
  Optional extends Schema.Constraint,
  Stored extends Schema.Constraint,
  Wire extends Schema.Constraint
> {
  /** How callers write a value that a record must have. */
  readonly required: Required
  /** How callers write a value that a record may lack. It may decode to `null`: a blank text does. */
  readonly optional: Optional
  readonly stored: Stored
  readonly wire: Wire
  /** Converts a stored value to its form in responses; absent if the stored value is returned unchanged. */
  readonly toWire?: (stored: Stored["Type"]) => Wire["Type"]
}

/** Documents bounds in the JSON Schema without checking them. */
const documented = (jsonSchema: Record<string, unknown>) => check<unknown>("invalid", () => true, jsonSchema)

/** A text of at most `maxLength` characters. */
export const text = (maxLength: number) => ({
  required: requiredText(maxLength),
  optional: textOrBlank(maxLength),
  stored: Schema.String,
  wire: Schema.String.check(documented({ maxLength }))
})

/** A text with its own checks, which `written` makes; `bounds` are the JSON Schema keywords that hold in responses. */
export const checkedText = <S extends Schema.Constraint>(written: S, bounds: Record<string, unknown>) => ({
  required: written,
  optional: written,
  stored: Schema.String,
  wire: Schema.String.check(documented(bounds))
})

/** A name of a person or a business: a text of at most `maxLength` characters without line breaks and URLs. */
export const name = (maxLength: number) => ({
  ...text(maxLength),
  required: requiredName(maxLength),
  optional: nameOrBlank(maxLength)
})

/** An email address; stored in its canonical form. */
export const emailAddress = {
  required: EmailAddress,
  optional: emailAddressOrBlank,
  stored: Schema.String,
  wire: Schema.String.check(documented({ format: "idn-email", maxLength: 254 }))
}

/**
 * An http or https address, returned as it was written. Responses promise no `uri`: it has no letters outside of ASCII and
 * none of `{ } | ^`, which addresses that people copy do have, and a client that parses it would refuse the whole list.
 */
export const webAddress = {
  required: webAddressOrBlank,
  optional: webAddressOrBlank,
  stored: Schema.String,
  wire: Schema.String.check(documented({ maxLength: 2048 }))
}

/** A value that is written, stored and returned in the same way. */
export const unchanged = <S extends Schema.Constraint>(schema: S) => ({
  required: schema,
  optional: schema,
  stored: schema,
  wire: schema
})

/** A text without a bound, which Livery writes itself and callers do not. */
export const unboundedText = unchanged(Schema.String)

/** A whole number from `minimum` to `maximum`. */
export const wholeNumber = (minimum: number, maximum: number) => {
  const written = Schema.Int.check(between(minimum, maximum))
  return {
    required: written,
    optional: written,
    stored: Schema.Int,
    wire: Schema.Int.check(documented({ minimum, maximum }))
  }
}

/** A boolean. */
export const boolean = unchanged(Schema.Boolean)

/** A list of at most `most` items, which are written, stored and returned in the same way but for spaces and blanks. */
export const listOf = <A, I, S extends Schema.Constraint>(
  item: Schema.Codec<A, I>,
  stored: S,
  most: number
) => {
  const written = boundedListOf(item, { most })
  const list = Schema.Array(stored)
  return {
    required: written,
    optional: written,
    stored: list,
    wire: list.check(documented({ maxItems: most }))
  }
}

/** The id of a record. */
export const id = <S extends Schema.Codec<number, number>>(schema: S) => ({
  required: schema,
  optional: schema,
  stored: schema,
  wire: Schema.Int.check(documented({ minimum: 1 }))
})

/** One of a few words. */
export const oneOf = <const Words extends ReadonlyArray<string>>(words: Schema.Literals<Words>) => {
  const written = oneOfWords(words)
  return { required: written, optional: written, stored: words, wire: words }
}

/** A day, `YYYY-MM-DD`. */
export const day = {
  required: CalendarDay,
  optional: CalendarDay,
  stored: Schema.String,
  wire: Schema.String.check(documented({ format: "date" }))
}

/** The name of an IANA time zone. */
export const timeZone = {
  required: TimeZone,
  optional: TimeZone,
  stored: Schema.String,
  wire: Schema.String
}

/** An instant. Callers write a timestamp, which `instantOf` converts; responses have it in UTC. */
export const instant = {
  required: Timestamp,
  optional: OptionalTimestamp,
  stored: Schema.DateTimeUtc,
  wire: Schema.String.check(documented({ format: "date-time" })),
  toWire: (at: DateTime.Utc): string => rfc3339(at)
}

/** A time on a clock without its zone: `2026-12-24 18:30:00`. Only responses have it. */
export const localTime = {
  wire: Schema.String.check(documented({ pattern: "^\\d{4}-\\d{2}-\\d{2} \\d{2}:\\d{2}:\\d{2}$" }))
}

const degrees = (written: typeof Latitude, limit: number) => ({
  required: written,
  optional: written,
  stored: Schema.Finite,
  wire: Schema.Finite.check(documented({ minimum: -limit, maximum: limit }))
})

/** A latitude in degrees. */
export const latitude = degrees(Latitude, 90)

/** A longitude in degrees. */
export const longitude = degrees(Longitude, 180)

/** The IATA code of an airport: three letters, in capitals. */
export const airportCode = {
  required: AirportCode,
  optional: airportCodeOrBlank,
  stored: Schema.String,
  wire: Schema.String.check(documented({ pattern: "^[A-Z]{3}$" }))
}

/** A measurement of a phone, at most `maximum`. A negative number means that the phone could not measure. */
export const measurement = (maximum: number) => {
  const written = Schema.Finite.check(check<number>("out_of_range", (value) => value <= maximum, { maximum }))
  return {
    required: written,
    optional: written,
    stored: Schema.Finite,
    wire: Schema.Finite.check(documented({ minimum: 0, maximum }))
  }
}

/** A currency. */
export const currency = {
  required: Currency,
  optional: Currency,
  stored: Schema.toType(Currency),
  wire: Schema.String.check(documented({ pattern: "^[A-Z]{3}$" }))
}

/** An amount in major units of the record's currency. It is stored as a {@link minorAmount}. */
export const amount = {
  required: MajorAmount,
  optional: MajorAmount,
  stored: Schema.Finite,
  wire: Schema.Finite.check(documented({ minimum: 0 }))
}

/** An amount in minor units of the record's currency, as it is stored. */
export const minorAmount = { stored: Schema.Int }
