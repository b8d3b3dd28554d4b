/** A search for places, and the place that it finds. */
import { Schema } from "effect"
import { check } from "../../kernel/fields/FieldIssue.ts"

/** The query of a search: a part of a name or of an address, and the language of the results. */
export const PlaceSearch = {
  query: Schema.optionalKey(
    Schema.String.check(check<string>("too_long", (text) => text.length <= 200, { maxLength: 200 }))
  ),
  language: Schema.optionalKey(
    Schema.String.check(
      check<string>("invalid", (code) => /^[a-z]{2}$/u.test(code), { pattern: "^[a-z]{2}$" })
    )
  )
}

/**
 * A place. A zone of the tariff has what decides its price: an airport, a postal code or coordinates. `is_zone` is false for an
 * address.
 */
export const PlaceRecord = Schema.Struct({
  name: Schema.String,
  is_zone: Schema.Boolean,
  airport: Schema.NullOr(Schema.String),
  postal_code: Schema.NullOr(Schema.String),
  lat: Schema.NullOr(Schema.Finite),
  lng: Schema.NullOr(Schema.Finite)
})
export type PlaceRecord = typeof PlaceRecord.Type
