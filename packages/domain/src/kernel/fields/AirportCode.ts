/** The code of an airport. */
import { Schema } from "effect"
import { check } from "./FieldIssue.ts"
import { blankIsNull, trimming } from "./Text.ts"

const isCode = (text: string) => /^[A-Z]{3}$/u.test(text.trim())
const bounds = { pattern: "^[A-Z]{3}$" }

/** An airport's IATA code: three letters, in capitals. */
export const AirportCode = Schema.String.check(check<string>("invalid", isCode, bounds)).pipe(
  Schema.decodeTo(Schema.String, trimming)
)

/** An {@link AirportCode}; a blank text decodes to `null`. */
export const airportCodeOrBlank = Schema.String.check(
  check<string>("invalid", (text) => text.trim() === "" || isCode(text), bounds)
).pipe(
  Schema.decodeTo(
    Schema.NullOr(Schema.String),
    blankIsNull((code) => code)
  )
)
