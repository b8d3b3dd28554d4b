/** The contact data of a quote or a booking. */
import type { FieldIssue } from "../../kernel/fields/FieldIssue.ts"
import type { NamedCustomer } from "../../trips/trip/TripReferences.ts"

/** The name, the email address and the telephone number of the person who asks for a quote or a booking. */
export interface Contact {
  readonly customer_name: string | null
  readonly customer_email: string | null
  readonly customer_phone: string | null
}

/** The contact data of a request. Fields that the request lacks are those of its customer. */
export const contactOf = (input: Contact, customer: NamedCustomer | null): Contact => ({
  customer_name: input.customer_name ?? customer?.name ?? null,
  customer_email: input.customer_email ?? customer?.email ?? null,
  customer_phone: input.customer_phone ?? customer?.phone ?? null
})

/** An issue if neither the request nor its customer has a name. */
export const nameIssues = ({ customer_name }: Contact): ReadonlyArray<FieldIssue> =>
  customer_name === null ? [{ field: "customer_name", issue: "required" }] : []
