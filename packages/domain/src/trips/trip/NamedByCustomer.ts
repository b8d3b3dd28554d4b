/** The rule that a ride, a quote or a booking has the name of a person: its own, or that of its customer's record. */
import { requiredLaterUnless, requiredUnless } from "../../kernel/fields/FieldIssue.ts"

const isSent = (input: object, field: string) => {
  const value: unknown = Object.hasOwn(input, field) ? Reflect.get(input, field) : null
  return typeof value === "string" ? value.trim() !== "" : value !== null && value !== undefined
}

const hasName = (input: object) => isSent(input, "customer_name") || isSent(input, "customer_id")

/** A check of the body of a ride: `customer_name` is required unless `customer_id` is sent. */
export const namedByCustomer = requiredUnless("customer_name", hasName, {
  anyOf: [
    { required: ["customer_name"], properties: { customer_name: { type: "string" } } },
    { required: ["customer_id"], properties: { customer_id: { type: "integer" } } }
  ]
})

/** The same for a quote and a booking, whose use case checks it with the other values. */
export const namedByCustomerLater = requiredLaterUnless("customer_name", hasName)
