/** The customer that a quote, a booking or an invoice refers to. */
import { Effect, Option } from "effect"
import type { ActingBusiness } from "../../business/Business.ts"
import type { FieldIssue } from "../../kernel/fields/FieldIssue.ts"
import type { CustomerId } from "../../kernel/Ids.ts"
import { type NamedCustomer, TripReferences } from "./TripReferences.ts"

/** The customer, null if there is none; and an issue if the request names one that the business does not have. */
export interface LockedCustomer {
  readonly customer: NamedCustomer | null
  readonly issues: ReadonlyArray<FieldIssue>
}

/** Builds the function that locks the customer that a request names, so that it is not deleted meanwhile. */
export const makeLockCustomer = Effect.map(TripReferences, (references) =>
  Effect.fnUntraced(function* (
    { business_id }: ActingBusiness,
    customerId: CustomerId | null = null
  ): Effect.fn.Return<LockedCustomer> {
    if (customerId === null) return { customer: null, issues: [] }
    return Option.match(yield* references.lockCustomer(business_id, customerId), {
      onNone: () => ({ customer: null, issues: [{ field: "customer_id", issue: "not_found" }] }),
      onSome: (customer) => ({ customer, issues: [] })
    })
  })
)
