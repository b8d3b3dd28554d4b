/** A customer, who books trips and pays for them (docs/api/customers.md). */
import { buyerFields } from "../billing/invoice/InvoiceParties.ts"
import * as Field from "../kernel/fields/Field.ts"
import * as Value from "../kernel/fields/Value.ts"
import { BusinessId, CustomerId } from "../kernel/Ids.ts"

/**
 * The fields of a customer. A business has one customer with an email. `payment_terms_days` replaces the terms of the
 * business; `account_number` is the customer's account in the books of the business.
 */
export const customerFields = {
  customer_id: Field.assigned(Value.id(CustomerId)),
  business_id: Field.internal(Value.id(BusinessId)),
  name: Field.says({ person: "customer" }, Field.required(Value.text(200))),
  email: Field.says({ person: "customer" }, Field.optional(Value.emailAddress)),
  phone: Field.says({ person: "customer" }, Field.optional(Value.text(40))),
  company: Field.says({ person: "customer" }, Field.optional(Value.text(200))),
  address: Field.says({ person: "customer" }, Field.optional(Value.text(500))),
  ...buyerFields,
  payment_terms_days: Field.says({ person: "nobody" }, Field.optional(Value.wholeNumber(0, 365))),
  account_number: Field.says({ person: "customer" }, Field.optional(Value.text(40))),
  notes: Field.says({ person: "customer" }, Field.optional(Value.text(5000))),
  created_at: Field.assigned(Value.instant),
  updated_at: Field.assigned(Value.instant)
}

/** The input of a new customer. */
export const CustomerInput = Field.inputOf(customerFields)
export type CustomerInput = typeof CustomerInput.Type

/** A change of a customer: at least one field; `null` clears any field but the name. */
export const CustomerChanges = Field.changesOf(customerFields)
export type CustomerChanges = typeof CustomerChanges.Type

/** A customer as stored. */
export const Customer = Field.storedOf(customerFields)
export type Customer = typeof Customer.Type

/** A customer in a response. */
export const CustomerRecord = Field.recordOf(customerFields)
export type CustomerRecord = typeof CustomerRecord.Type

/** The record of a customer. */
export const customerRecord = Field.encoderOf(customerFields)
