/** Email addresses. */
import { Schema, SchemaTransformation } from "effect"
import { check } from "./FieldIssue.ts"
import { atMost, blankIsNull, storable } from "./Text.ts"

const isEmailAddress = (value: string) =>
  /^[^\s\p{Cc}@"(),:;<>[\\\]]{1,64}@(?:[^\s\p{Cc}@"(),:;<>[\\\]_.]+\.)+[^\s\p{Cc}@"(),:;<>[\\\]_.]+$/u.test(
    value.trim()
  )

/**
 * An email address that mail servers accept: one `@`, no spaces, at most 254 characters. It decodes to lower case. Line
 * breaks are refused, because they would add a recipient to a message.
 */
export const EmailAddress = Schema.String.check(
  check<string>("required", (value) => value.trim() !== "", { minLength: 1 }),
  storable,
  check<string>("invalid", isEmailAddress, { format: "email" }),
  atMost(254)
).pipe(
  Schema.decodeTo(
    Schema.String,
    SchemaTransformation.transform<string, string>({
      decode: (value) => value.trim().toLowerCase(),
      encode: (value) => value
    })
  )
)

/** An {@link EmailAddress}; a blank text decodes to `null`. */
export const emailAddressOrBlank = Schema.String.check(
  storable,
  check<string>("invalid", (value) => value.trim() === "" || isEmailAddress(value), { format: "email" }),
  atMost(254)
).pipe(
  Schema.decodeTo(
    Schema.NullOr(Schema.String),
    blankIsNull((value) => value.toLowerCase())
  )
)
