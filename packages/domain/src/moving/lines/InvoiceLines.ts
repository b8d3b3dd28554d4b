/** Storing lines of open invoices. */
import { Effect } from "effect"
import { MovedInvoice, MovedInvoices } from "../../billing/MovedInvoices.ts"
import type { Customer } from "../../customers/Customer.ts"
import type { ActingBusiness } from "../../business/Business.ts"
import { invalidField } from "../../kernel/Errors.ts"
import { countryOfZone } from "../../kernel/fields/PhoneNumber.ts"
import { InvoiceId } from "../../kernel/Ids.ts"
import { Transaction } from "../../kernel/Transaction.ts"
import { MatchRepository } from "../MatchRepository.ts"
import { makeFind } from "./CustomerLines.ts"
import { decoderOf, eachLine, type Line, nameIn, without } from "./Line.ts"

const decode = decoderOf(MovedInvoice)

const text = (value: unknown) => (typeof value === "string" && value !== "" ? value : null)

/** The customers that lines name: by the `external_ref`, the email, or the name. */
export const namedCustomers = (lines: ReadonlyArray<Line>) => ({
  refs: lines.flatMap(({ values }) => text(values["customer_ref"]) ?? []),
  emails: lines.flatMap(({ values }) => text(values["customer_email"])?.toLowerCase() ?? []),
  phones: [],
  names: lines.flatMap(({ values }) => text(nameIn(values, "customer_name")) ?? [])
})

/** What a line says of its customer. */
export const customerIn = (values: Line["values"]) => ({
  external_ref: text(values["customer_ref"]),
  email: text(values["customer_email"])?.toLowerCase() ?? null,
  phone: null,
  name: nameIn(values, "customer_name") ?? ""
})

/**
 * Finds the customer that a line names: only by the `external_ref` if the line has one, or else by the email, or by the name alone if
 * the line or the customer has no email.
 */
export const findNamed = (candidates: ReadonlyArray<Customer>, timezone: string) => {
  const find = makeFind(candidates, countryOfZone(timezone))
  return (named: ReturnType<typeof customerIn>) => {
    if (named.external_ref !== null) return find({ ...named, email: null, name: "" })
    const found = find(named)
    if (found !== undefined || named.email === null) return found
    const byName = find({ ...named, email: null })
    return byName?.email === null ? byName : undefined
  }
}

/** Builds the function that stores lines of invoices. An invoice with the number of the line stays as it is. */
export const makeInvoiceLines = Effect.gen(function* () {
  const transaction = yield* Transaction
  const invoices = yield* MovedInvoices
  const matches = yield* MatchRepository
  return Effect.fnUntraced(function* (acting: ActingBusiness, lines: ReadonlyArray<Line>) {
    const { business_id, timezone } = acting
    const numberOf = ({ values }: Pick<Line, "values">) => (text(values["number"]) ?? "").toUpperCase()
    const known = new Map(yield* matches.invoices(business_id, lines.map(numberOf)))
    const find = findNamed(yield* matches.customers(business_id, namedCustomers(lines)), timezone)
    return yield* eachLine(transaction, lines, (values) =>
      Effect.gen(function* () {
        const number = numberOf({ values })
        const earlier = known.get(number)
        if (earlier !== undefined) return { status: "matched" as const, record_id: earlier }
        const named = customerIn(values)
        const customer = find(named)
        if (customer === undefined)
          return yield* invalidField(named.external_ref === null ? "customer" : "customer_ref", "not_found")
        const sent = without(values, ["customer_ref", "customer_name", "customer_email", "total_amount"])
        const input = yield* Effect.fromResult(
          decode({
            ...sent,
            number,
            customer_id: customer.customer_id,
            amount_due: values["amount_due"] ?? values["total_amount"]
          })
        )
        const { invoice_id } = yield* invoices.create(acting, input)
        known.set(number, InvoiceId.make(invoice_id))
        return { status: "made" as const, record_id: invoice_id }
      })
    )
  })
})
