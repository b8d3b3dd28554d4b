/** The rule that a ride, a quote or a booking has the name of a person: its own, or that of its customer's record. */
import { requiredUnless } from "../../kernel/fields/FieldIssue.ts"

const isSent = (input: object, field: string) => {
  const value: unknown = Object.hasOwn(input, field) ? Reflect.get(input, field) : null
  return typeof value === "string" ? value.trim() !== "" : value !== null && value !== undefined
}

/** A check of the body: `customer_name` is required unless `customer_id` is sent. */
export const namedByCustomer = requiredUnless(
  "customer_name",
  (input) => isSent(input, "customer_name") || isSent(input, "customer_id"),
  {
    anyOf: [
      { required: ["customer_name"], properties: { customer_name: { type: "string" } } },
      { required: ["customer_id"], properties: { customer_id: { type: "integer" } } }
    ]
  }
)
