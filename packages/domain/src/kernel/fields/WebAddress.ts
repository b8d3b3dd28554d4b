/** Addresses of pages and pictures. */
import { Option, Schema } from "effect"
import { check } from "./FieldIssue.ts"
import { orNull } from "./Optional.ts"
import { atMost, blankIsNull, storable } from "./Text.ts"

const parsed = Schema.decodeOption(Schema.URLFromString)

/**
 * Whether a text is an http or https address. Refuses control characters: browsers drop them from an address, so that it
 * would differ from what people read.
 */
const isWebAddress = (value: string) => {
  const address = value.trim()
  return /^https?:\/\/[^\s\p{Cc}/]+(?:\/[^\s\p{Cc}]*)?$/iu.test(address) && Option.isSome(parsed(address))
}

/**
 * Whether an address has the form of one that requests can be sent to, and is sent as it is written. The sender would drop
 * line breaks and supply slashes, and a fragment never reaches the receiver. `AddressPolicy` decides between `https:` and
 * `http:`, because that depends on the installation.
 */
export const isEndpointAddress = (text: string): boolean => {
  const url = Option.getOrUndefined(parsed(text.trim()))
  return (
    url !== undefined &&
    isWebAddress(text) &&
    url.username === "" &&
    url.password === "" &&
    !text.includes("#")
  )
}

/** An http or https address of at most 2,048 characters; a blank text decodes to `null`. */
export const webAddressOrBlank = Schema.String.check(
  storable,
  check<string>("invalid", (value) => value.trim() === "" || isWebAddress(value), { format: "uri" }),
  atMost(2048)
).pipe(
  Schema.decodeTo(
    Schema.NullOr(Schema.String),
    blankIsNull((value) => value)
  )
)

/** An optional http or https address of at most 2,048 characters; absent, `null` and blank decode to `null`. */
export const optionalWebAddress = orNull(webAddressOrBlank)
