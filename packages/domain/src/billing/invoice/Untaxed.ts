/** Why lines at a rate of zero carry no tax (docs/api/invoices.md). */
import { Schema } from "effect"
import type { FieldIssue } from "../../kernel/fields/FieldIssue.ts"
import * as Field from "../../kernel/fields/Field.ts"
import { orNull } from "../../kernel/fields/Optional.ts"
import * as Value from "../../kernel/fields/Value.ts"

/**
 * - `zero_rated`: the service is taxed at a rate of zero.
 * - `exempt`: it is not taxed, by law, for example because the business is small.
 * - `reverse_charge`: the buyer pays the tax, for example a business in another country.
 * - `outside_scope`: it is no service that the tax knows, such as the fee of a reminder.
 */
export const UntaxedAs = Schema.Literals(["zero_rated", "exempt", "reverse_charge", "outside_scope"])
export type UntaxedAs = typeof UntaxedAs.Type

const reason = Field.optional(Value.text(500))

/**
 * The fields of a business's profile that its new invoices take. `untaxed_reason` is the wording that an invoice shows, for
 * example the paragraph of the law; an exemption needs one.
 */
export const untaxedDefaults = Field.ofNobody({
  untaxed_as: Field.withDefault(Value.oneOf(UntaxedAs), "zero_rated"),
  untaxed_reason: reason
})

/**
 * The fields of a customer. A customer with `untaxed_as` pays no tax: new lines for it carry none unless the request says
 * otherwise, and its new invoices take both fields.
 */
export const untaxedCustomerFields = {
  untaxed_as: Field.says({ person: "nobody" }, Field.optional(Value.oneOf(UntaxedAs))),
  untaxed_reason: Field.says({ person: "customer" }, reason)
}

/** The values of these fields. */
export interface UntaxedCustomer {
  readonly untaxed_as: UntaxedAs | null
  readonly untaxed_reason: string | null
}

/** The fields of a customer who pays taxes, and of an invoice without a customer. */
export const taxedCustomer: UntaxedCustomer = { untaxed_as: null, untaxed_reason: null }

/** The fields of an invoice. What a request leaves out is taken from the business. */
export const untaxedFields = Field.ofNobody({
  untaxed_as: {
    ...Field.required(Value.oneOf(UntaxedAs)),
    input: orNull(Value.oneOf(UntaxedAs).required)
  },
  untaxed_reason: reason
})

/** The values of these fields as stored. */
export interface Untaxed {
  readonly untaxed_as: UntaxedAs
  readonly untaxed_reason: string | null
}

/** Those of a new business. */
export const unspecifiedUntaxed: Untaxed = { untaxed_as: "zero_rated", untaxed_reason: null }

/**
 * Those of a new invoice: what the request sends, else the customer's, else the business's. A reason belongs to its
 * `untaxed_as`.
 */
export const untaxedOf = (
  sent: UntaxedCustomer,
  business: Untaxed,
  customer: UntaxedCustomer | null = null
): Untaxed => {
  const untaxed_as = sent.untaxed_as ?? customer?.untaxed_as ?? business.untaxed_as
  const ofCustomer = untaxed_as === customer?.untaxed_as ? customer.untaxed_reason : null
  const usual = untaxed_as === business.untaxed_as ? business.untaxed_reason : null
  return { untaxed_as, untaxed_reason: sent.untaxed_reason ?? ofCustomer ?? usual }
}

/** The fields of a change. */
type UntaxedChanges = { readonly [Name in keyof Untaxed]?: Untaxed[Name] | undefined }

/**
 * Those of an invoice, or of a business, after a change. With another `untaxed_as`, the earlier reason does not apply any more:
 * what the change does not send is taken from `usual`, as for a new invoice.
 */
export const untaxedAfter = (before: Untaxed, changes: UntaxedChanges, usual: Untaxed): Untaxed => {
  const { untaxed_as = before.untaxed_as, untaxed_reason } = changes
  if (untaxed_reason !== undefined) return { untaxed_as, untaxed_reason }
  return untaxed_as === before.untaxed_as
    ? { untaxed_as, untaxed_reason: before.untaxed_reason }
    : untaxedOf({ untaxed_as, untaxed_reason: null }, usual)
}

/** For an invoice that is made without these fields: the usual values, issued today. */
export const asUsual = {
  untaxed_as: null,
  untaxed_reason: null,
  issued_on: null,
  service_from: null,
  service_to: null,
  buyer_reference: null
}

/** An issue if the reason of an exemption is missing. */
export const untaxedIssues = ({ untaxed_as, untaxed_reason }: Untaxed): ReadonlyArray<FieldIssue> =>
  untaxed_as === "exempt" && untaxed_reason === null ? [{ field: "untaxed_reason", issue: "required" }] : []
