/** The person whose data is erased (docs/api/privacy.md). */
import { Equal, Schema } from "effect"
import { canonicalPhone } from "../kernel/fields/PhoneNumber.ts"
import { emailAddressOrBlank } from "../kernel/fields/EmailAddress.ts"
import { orNull, yesOrNo } from "../kernel/fields/Optional.ts"
import { optionalText } from "../kernel/fields/Text.ts"
import { BusinessId, CustomerId, DriverId, UserId } from "../kernel/Ids.ts"

/**
 * The records of a person and the texts by which copies of them are recognised. `business_id` is null for a user of the
 * platform. `phones` are in their canonical form; in copies, numbers without a calling code belong to `country`. `names` are compared only in the audit log, because other persons may have the
 * same name.
 */
export const Person = Schema.Struct({
  business_id: Schema.NullOr(BusinessId),
  customer_ids: Schema.Array(CustomerId),
  driver_ids: Schema.Array(DriverId),
  user_ids: Schema.Array(UserId),
  names: Schema.Array(Schema.String),
  emails: Schema.Array(Schema.String),
  phones: Schema.Array(Schema.String),
  country: Schema.optionalKey(Schema.NullOr(Schema.String))
})
export type Person = typeof Person.Type

/** The records and texts of both. */
export const mergedPerson = (one: Person, other: Person): Person => {
  const union = <A>(field: (person: Person) => ReadonlyArray<A>) => [
    ...new Set([...field(one), ...field(other)])
  ]
  return {
    business_id: one.business_id,
    country: one.country ?? null,
    customer_ids: union(({ customer_ids }) => customer_ids),
    driver_ids: union(({ driver_ids }) => driver_ids),
    user_ids: union(({ user_ids }) => user_ids),
    names: union(({ names }) => names),
    emails: union(({ emails }) => emails),
    phones: union(({ phones }) => phones)
  }
}

/** Whether a person has each record and text of another. */
export const hasAllOf = (person: Person, other: Person): boolean =>
  Equal.equals(mergedPerson(person, other), mergedPerson(person, person))

/**
 * A contact: an email, a phone number in its canonical form, or both. A phone number without a calling code belongs to
 * `country`.
 */
export interface Contact {
  readonly email: string | null
  readonly phone: string | null
  readonly country?: string | null
}

/** Whether a text is one of the phone numbers, in any spelling. */
export const isPhoneOf = (text: string, { country = null, phones }: Pick<Person, "country" | "phones">) =>
  phones.length > 0 && phones.includes(canonicalPhone(text, country) ?? "")

const terms = {
  /** Confirms that open trips, quotes, bookings and unpaid invoices of the person are erased too. */
  force: yesOrNo(false),
  /** Why the person is erased, for the audit log. It must not identify the person. */
  reason: optionalText(500)
}

/** The body of an erasure whose path names the record. */
export const ErasureInput = Schema.Struct(terms)
export type ErasureInput = typeof ErasureInput.Type

const contact = { email: orNull(emailAddressOrBlank), phone: optionalText(40) }

/** The body of the erasure of a contact: a passenger, or a customer without a record. An email or a phone is required. */
export const ContactErasureInput = Schema.Struct({ ...contact, ...terms })
export type ContactErasureInput = typeof ContactErasureInput.Type

/** The body of an erasure by a super-admin: a customer, a driver or a contact of the business. */
export const PersonErasureInput = Schema.Struct({
  customer_id: orNull(CustomerId),
  driver_id: orNull(DriverId),
  ...contact,
  ...terms
})
export type PersonErasureInput = typeof PersonErasureInput.Type

/**
 * How many records of each kind were erased. `erased` is false if there is none. `invoices_retained` are not: accounting law
 * requires them. `pending` is there while the workers erase what remains of a person in a large history: the person can no longer
 * be used, `erased` and the counts are of the person's own records, and the entry `person.erased` of the audit log will have all.
 */
export const ErasureRecord = Schema.Struct({
  erased: Schema.Boolean,
  pending: Schema.optionalKey(Schema.Literal(true)),
  customers: Schema.Int,
  drivers: Schema.Int,
  users: Schema.Int,
  trips: Schema.Int,
  quotes: Schema.Int,
  bookings: Schema.Int,
  assignments: Schema.Int,
  files: Schema.Int,
  changes: Schema.Int,
  events: Schema.Int,
  audit_entries: Schema.Int,
  responses: Schema.Int,
  messages: Schema.Int,
  sent_messages: Schema.Int,
  invoices_retained: Schema.Int
})
export type ErasureRecord = typeof ErasureRecord.Type
