/**
 * Redaction: removes personal data from the records of an erased person and from copies of them. A copy is a JSON document:
 * an event, an entry of a timeline or of the audit log, the stored response of a request.
 */

/** The text in place of a required one: a name, an address. */
export const erasedText = "Erased"

/** The personal texts that no record lacks; other personal fields become null, lists and objects empty. */
const requiredTexts: ReadonlySet<string> = new Set([
  "name",
  "customer_name",
  "pickup_address",
  "dropoff_address",
  "description"
])

/**
 * The fields that may say something about a person, in the records of trips, quotes, bookings, customers, drivers and
 * users, and in what they contain.
 */
export const personalFields = [
  "name",
  "email",
  "phone",
  "mobile_phone",
  "company",
  "address",
  "country",
  "vat_number",
  "notes",
  "note",
  "license_number",
  "license_expires_on",
  "photo_url",
  "customer_name",
  "customer_email",
  "customer_phone",
  "pickup_address",
  "pickup_postal_code",
  "pickup_lat",
  "pickup_lng",
  "dropoff_address",
  "dropoff_postal_code",
  "dropoff_lat",
  "dropoff_lng",
  "flight_number",
  "terminal",
  "special_requirements",
  "external_ref",
  "po_number",
  "cost_center",
  "metadata",
  "internal_notes",
  "child_seats",
  "pickup_sign",
  "stops",
  "passengers",
  "booker_name",
  "booker_email",
  "booker_phone",
  "group_id",
  "accepted_by",
  "accepted_address",
  "reject_reason",
  "reason",
  "description",
  "trip",
  "postal_code",
  "lat",
  "lng"
] as const

const isPersonal: ReadonlySet<string> = new Set(personalFields)

/** A kind of record that is erased. */
export type ErasedKind = "trip" | "quote" | "booking" | "customer" | "driver" | "user"

/** The kinds by the fields that refer to them, the closest record first: the object of a trip also names its customer. */
const references: ReadonlyArray<readonly [string, ErasedKind]> = [
  ["trip_id", "trip"],
  ["quote_id", "quote"],
  ["booking_id", "booking"],
  ["driver_id", "driver"],
  ["customer_id", "customer"],
  ["user_id", "user"]
]

/** A reference to a record. */
export interface Reference {
  readonly kind: ErasedKind
  readonly id: number
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const referencesOfObject = (value: Readonly<Record<string, unknown>>): ReadonlyArray<Reference> =>
  references.flatMap(([field, kind]) => {
    const id = value[field]
    return typeof id === "number" ? [{ kind, id }] : []
  })

/** The records that a document refers to. */
export const referencesIn = (value: unknown): ReadonlyArray<Reference> => {
  if (Array.isArray(value)) return value.flatMap(referencesIn)
  if (!isObject(value)) return []
  return [...referencesOfObject(value), ...Object.values(value).flatMap(referencesIn)]
}

const emptied = (field: string, value: unknown): unknown => {
  if (requiredTexts.has(field) && typeof value === "string") return erasedText
  if (Array.isArray(value)) return []
  return isObject(value) && field === "metadata" ? {} : null
}

/** Which copies are erased: those of records for which `isErased` holds, and texts that mention the person. */
export interface RedactionRules {
  readonly isErased: (reference: Reference) => boolean
  readonly isMention: (text: string) => boolean
}

/** Whether a text anywhere in a value satisfies `isMention`. */
export const hasMention = (value: unknown, isMention: RedactionRules["isMention"]): boolean => {
  if (typeof value === "string") return isMention(value)
  if (Array.isArray(value)) return value.some((item) => hasMention(item, isMention))
  return isObject(value) && Object.values(value).some((item) => hasMention(item, isMention))
}

const isSame = (one: unknown, other: unknown): boolean =>
  one === other ||
  (typeof one === "object" &&
    one !== null &&
    typeof other === "object" &&
    other !== null &&
    Object.keys(one).length === 0 &&
    Object.keys(other).length === 0)

/**
 * The document without its personal data: the personal fields of each object that refers to an erased record or
 * mentions the person, and each text that mentions the person. The same document, by identity, if nothing in it is
 * personal.
 */
export const redacted = (value: unknown, rules: RedactionRules, isWithin = false): unknown => {
  if (typeof value === "string") return rules.isMention(value) ? erasedText : value
  if (Array.isArray(value)) {
    const items = value.map((item) => redacted(item, rules, isWithin))
    return items.some((item, index) => item !== value[index]) ? items : value
  }
  if (!isObject(value)) return value
  const own = referencesOfObject(value)
  const isErased =
    own.some(rules.isErased) || (isWithin && own.length === 0) || hasMention(value, rules.isMention)
  const entries = Object.entries(value).map(([field, before]) => {
    const isField = isErased && isPersonal.has(field) && before !== null
    const after = isField ? emptied(field, before) : redacted(before, rules, isErased || isWithin)
    return [field, isSame(after, before) ? before : after] as const
  })
  return entries.some(([field, after]) => after !== value[field]) ? Object.fromEntries(entries) : value
}
