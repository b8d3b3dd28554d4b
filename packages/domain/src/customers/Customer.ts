/** A customer, who books trips and pays for them (docs/api/customers.md). */
import { Schema } from "effect"
import { buyerFields } from "../billing/invoice/InvoiceParties.ts"
import { untaxedCustomerFields } from "../billing/invoice/Untaxed.ts"
import * as Field from "../kernel/fields/Field.ts"
import { listOf } from "../kernel/fields/List.ts"
import * as Value from "../kernel/fields/Value.ts"
import { BusinessId, CustomerId, DriverId, TariffId } from "../kernel/Ids.ts"

/** A customer wants or refuses at most this many drivers. */
const maxChosenDrivers = 50

const chosenDrivers = (description: string) => {
  const written = listOf(DriverId, { most: maxChosenDrivers })
  const ids = Schema.Array(DriverId)
  return Field.says(
    { person: "customer" },
    Field.emptyByDefault(
      { required: written, optional: written, stored: ids, wire: ids.annotate({ description }) },
      []
    )
  )
}

/**
 * The fields of a customer. A business has one customer with an email. `payment_terms_days` replaces the terms of the
 * business; `account_number` is the customer's account in the books of the business; `tariff_id` is the tariff that prices the
 * customer's trips. `external_ref` is the customer's name in another system, by which an import finds the customer.
 */
export const customerFields = {
  customer_id: Field.assigned(Value.id(CustomerId)),
  business_id: Field.internal(Value.id(BusinessId)),
  external_ref: Field.says({ person: "customer" }, Field.optional(Value.text(100))),
  name: Field.says({ person: "customer" }, Field.required(Value.text(200))),
  email: Field.says({ person: "customer" }, Field.optional(Value.emailAddress)),
  phone: Field.says({ person: "customer" }, Field.optional(Value.text(40))),
  company: Field.says({ person: "customer" }, Field.optional(Value.text(200))),
  address: Field.says({ person: "customer" }, Field.optional(Value.text(500))),
  ...buyerFields,
  ...untaxedCustomerFields,
  preferred_driver_ids: chosenDrivers(
    "Drivers whom the customer prefers: a plan of assignments gives them the customer's trips if that costs little more."
  ),
  refused_driver_ids: chosenDrivers(
    "Drivers whom the customer refuses: a plan gives them none of the customer's trips, and an assignment warns."
  ),
  tariff_id: Field.optional(Value.id(TariffId)),
  payment_terms_days: Field.says({ person: "nobody" }, Field.optional(Value.wholeNumber(0, 365))),
  account_number: Field.says({ person: "customer" }, Field.optional(Value.text(40))),
  notes: Field.says({ person: "customer" }, Field.optional(Value.text(5000))),
  created_at: Field.assigned(Value.instant),
  updated_at: Field.assigned(Value.instant)
}

const customerInputStruct = Field.inputOf(customerFields)
type CustomerInputStruct = typeof customerInputStruct

/** The type of the schema below, with a name that declarations can use (see `kernel/fields/Field.ts`). */
export interface CustomerInputSchema extends CustomerInputStruct {}

/** The input of a new customer. */
export const CustomerInput: CustomerInputSchema = customerInputStruct
export type CustomerInput = typeof CustomerInput.Type

const customerChangesStruct = Field.changesOf(customerFields)
type CustomerChangesStruct = typeof customerChangesStruct

/** The type of the schema below, with a name that declarations can use (see `kernel/fields/Field.ts`). */
export interface CustomerChangesSchema extends CustomerChangesStruct {}

/** A change of a customer: at least one field; `null` clears any field but the name. */
export const CustomerChanges: CustomerChangesSchema = customerChangesStruct
export type CustomerChanges = typeof CustomerChanges.Type

/** A customer as stored. */
export const Customer = Field.storedOf(customerFields)
export type Customer = typeof Customer.Type

const customerRecordStruct = Field.recordOf(customerFields)
type CustomerRecordStruct = typeof customerRecordStruct

/** The type of the schema below, with a name that declarations can use (see `kernel/fields/Field.ts`). */
export interface CustomerRecordSchema extends CustomerRecordStruct {}

/** A customer in a response. */
export const CustomerRecord: CustomerRecordSchema = customerRecordStruct
export type CustomerRecord = typeof CustomerRecord.Type

/** The record of a customer. */
export const customerRecord = Field.encoderOf(customerFields)
