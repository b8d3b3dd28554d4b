/** A customer: who books trips and pays for them (specification, Customers; fields of our own choosing). */
import { type DateTime, Schema } from "effect"
import { check } from "../kernel/fields/FieldIssue.ts"
import type { BusinessId, CustomerId } from "../kernel/Ids.ts"
import { clearableEmailAddress, optionalEmailAddress } from "../kernel/fields/EmailAddress.ts"
import { clearableText, optionalText, text } from "../kernel/fields/Text.ts"
import { rfc3339 } from "../kernel/time/WallClock.ts"

const lengths = { name: 200, phone: 40, company: 200, address: 500, notes: 5000 }

/** What `POST /customers` takes. An email is compared in lower case; a business has it once. */
export const CustomerInput = Schema.Struct({
  name: text(lengths.name),
  email: optionalEmailAddress,
  phone: optionalText(lengths.phone),
  company: optionalText(lengths.company),
  address: optionalText(lengths.address),
  notes: optionalText(lengths.notes)
})
export type CustomerInput = typeof CustomerInput.Type

/** What `PATCH /customers/{id}` takes: at least one of these; null forgets all but the name. */
export const CustomerChanges = Schema.Struct({
  name: Schema.optionalKey(text(lengths.name)),
  email: Schema.optionalKey(clearableEmailAddress),
  phone: Schema.optionalKey(clearableText(lengths.phone)),
  company: Schema.optionalKey(clearableText(lengths.company)),
  address: Schema.optionalKey(clearableText(lengths.address)),
  notes: Schema.optionalKey(clearableText(lengths.notes))
}).check(check<object>("required", (changes) => Object.keys(changes).length > 0, { minProperties: 1 }))
export type CustomerChanges = typeof CustomerChanges.Type

/** A customer as stored. */
export interface Customer extends CustomerInput {
  readonly customer_id: CustomerId
  readonly business_id: BusinessId
  readonly created_at: DateTime.Utc
  readonly updated_at: DateTime.Utc
}

/** A customer in an answer. */
export const CustomerRecord = Schema.Struct({
  customer_id: Schema.Int,
  name: Schema.String,
  email: Schema.NullOr(Schema.String),
  phone: Schema.NullOr(Schema.String),
  company: Schema.NullOr(Schema.String),
  address: Schema.NullOr(Schema.String),
  notes: Schema.NullOr(Schema.String),
  created_at: Schema.String,
  updated_at: Schema.String
})
export type CustomerRecord = typeof CustomerRecord.Type

/** The record of a customer. */
export const customerRecord = (customer: Customer): CustomerRecord => ({
  customer_id: customer.customer_id,
  name: customer.name,
  email: customer.email,
  phone: customer.phone,
  company: customer.company,
  address: customer.address,
  notes: customer.notes,
  created_at: rfc3339(customer.created_at),
  updated_at: rfc3339(customer.updated_at)
})
