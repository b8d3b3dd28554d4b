/**
 * Redaction: removes personal data from the records of an erased person and from copies of them. A copy is a JSON document:
 * an event, an entry of a timeline or of the audit log, the stored response of a request.
 */
import { bookingFields } from "../sales/bookings/Booking.ts"
import { quoteFields } from "../sales/quotes/Quote.ts"
import { customerFields } from "../customers/Customer.ts"
import { absenceFields } from "../fleet/availability/Absence.ts"
import { driverFields } from "../fleet/drivers/Driver.ts"
import { userFields } from "../identity/users/User.ts"
import type { Fields } from "../kernel/fields/Field.ts"
import { erasedOf, erasedText, personalNamesOf, requiredTextsOf } from "../kernel/fields/Personal.ts"
import { assignmentFields } from "../trips/trip/Assignment.ts"
import { tripFields } from "../trips/trip/Trip.ts"

/** The records that are erased, and that copies contain. Invoices and their lines are retained. */
const erasedRecords: ReadonlyArray<Fields> = [
  tripFields,
  assignmentFields,
  quoteFields,
  bookingFields,
  customerFields,
  driverFields,
  absenceFields,
  userFields
]

/** Personal fields of copies that are no fields of a record: of a place in a stored fare, and of a change. */
const fieldsOfCopies = ["postal_code", "reason"]

/** The fields that may say something about a person, in the records that are erased and in what they contain. */
export const personalFields: ReadonlyArray<string> = [...personalNamesOf(...erasedRecords), ...fieldsOfCopies]

const isPersonal: ReadonlySet<string> = new Set(personalFields)

/** The texts about a trip that are in the entry of a driver, which refers to the driver and not to the trip. */
const textsOfDriversEntry: ReadonlySet<string> = new Set(["decline_reason"])

/** The personal texts that no record lacks, with those of some copies. Other personal fields become null or empty. */
const requiredTexts: ReadonlySet<string> = new Set(requiredTextsOf(...erasedRecords))

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

/** The objects that no record lacks. */
const emptyObjects: ReadonlySet<string> = new Set(
  erasedRecords.flatMap((fields) =>
    Object.entries(erasedOf(fields)).flatMap(([name, value]) => (isObject(value) ? [name] : []))
  )
)

const emptied = (field: string, value: unknown): unknown => {
  if (requiredTexts.has(field) && typeof value === "string") return erasedText
  if (Array.isArray(value)) return []
  return isObject(value) && emptyObjects.has(field) ? {} : null
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
    const isOwn = isErased || (isWithin && textsOfDriversEntry.has(field))
    const isField = isOwn && isPersonal.has(field) && before !== null
    const after = isField ? emptied(field, before) : redacted(before, rules, isErased || isWithin)
    return [field, isSame(after, before) ? before : after] as const
  })
  return entries.some(([field, after]) => after !== value[field]) ? Object.fromEntries(entries) : value
}
