/** Email addresses, and their canonical form for comparison. */
import { Option, Schema, SchemaTransformation } from "effect"
import { check } from "./FieldIssue.ts"
import { blankIsNull, storable } from "./Text.ts"
import { utf8Length } from "./Utf8.ts"

/** Characters that mail programs write around addresses, in names, lists and routes, and invisible characters. */
const localPart = /^[^\s\p{C}\p{Z}@"(),:;<>[\\\].]+(?:\.[^\s\p{C}\p{Z}@"(),:;<>[\\\].]+)*$/u

/**
 * The text of a domain, without the characters that a URL parser reads as more than a host name. The ideographic full
 * stops separate labels, as `.` does.
 */
const typedDomain = /^[^\s\p{C}\p{Z}@"(),:;<>[\\\]/?#%_]+$/u

const label = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/u

const parsedUrl = Schema.decodeOption(Schema.URLFromString)

/** The length from which a text is refused without parsing it, because converting a domain takes long. */
const maxTypedLength = 1000

/** Full-width and half-width forms, which keyboards of East Asia type, as the usual characters. */
const foldedWidth = (text: string) =>
  text.replaceAll(/[\u3000\uFF01-\uFFEE]/gu, (character) => character.normalize("NFKC"))

/** The number of bytes of a text in UTF-8. */
const bytesOf = (text: string) => Array.from(text).reduce((sum, character) => sum + utf8Length(character), 0)

/** A host name in A-labels and lower case; undefined if the text is not a host name. */
const asciiHost = (typed: string): string | undefined => {
  const lower = typed.toLowerCase()
  // Most domains need no conversion, which takes much longer.
  if (/^[a-z0-9.-]+$/u.test(lower) && !lower.includes("xn--")) return lower
  if (!typedDomain.test(typed)) return undefined
  return Option.getOrUndefined(parsedUrl(`http://${typed}/`))?.hostname
}

/** A domain in A-labels; undefined if no mail server can have that name. */
const canonicalDomain = (typed: string): string | undefined => {
  const domain = asciiHost(typed)
  const labels = domain?.split(".") ?? []
  const isReachable =
    labels.length > 1 &&
    labels.every((each) => label.test(each)) &&
    // An address of IPv4 ends in a digit. No mail server has a name below `invalid` (RFC 2606).
    /^(?!invalid$)[a-z]/u.test(labels.at(-1) ?? "")
  return isReachable ? domain : undefined
}

/**
 * The canonical form of an address: two addresses are the same if their forms are equal. The domain is in A-labels
 * (IDNA); the part before the `@` is in Unicode's composed form (NFC), without full-width characters and in lower case.
 * Undefined if no email can reach the address.
 */
export const canonicalEmail = (typed: string): string | undefined => {
  if (typed.length > maxTypedLength) return undefined
  const text = foldedWidth(typed.trim())
  const at = text.lastIndexOf("@")
  if (at < 1) return undefined
  const local = text.slice(0, at).normalize("NFC").toLowerCase().normalize("NFC")
  const domain = canonicalDomain(text.slice(at + 1).normalize("NFC"))
  return domain !== undefined && localPart.test(local) && bytesOf(local) <= 64
    ? `${local}@${domain}`
    : undefined
}

const maxLength = 254

/** The canonical form; the checks report an address that has none. */
const canonical = (typed: string): string => canonicalEmail(typed) ?? typed

const fits = check<string>("too_long", (value) => canonical(value.trim()).length <= maxLength, {
  maxLength: maxLength
})

/** An email address that can be reached, of at most 254 characters. It decodes to its canonical form. */
export const EmailAddress = Schema.String.check(
  check<string>("required", (value) => value.trim() !== "", { minLength: 1 }),
  storable,
  fits,
  check<string>("invalid", (value) => canonicalEmail(value) !== undefined, { format: "idn-email" })
).pipe(
  Schema.decodeTo(
    Schema.String,
    SchemaTransformation.transform<string, string>({ decode: canonical, encode: (value) => value })
  )
)

/** An {@link EmailAddress}; a blank text decodes to `null`. */
export const emailAddressOrBlank = Schema.String.check(
  storable,
  fits,
  check<string>("invalid", (value) => value.trim() === "" || canonicalEmail(value) !== undefined, {
    format: "idn-email"
  })
).pipe(Schema.decodeTo(Schema.NullOr(Schema.String), blankIsNull(canonical)))
