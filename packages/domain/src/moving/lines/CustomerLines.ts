/** Storing lines of customers: all lines of a batch are matched, and the new ones inserted, by one statement each. */
import { DateTime, Effect, Result } from "effect"
import type { ActingBusiness } from "../../business/Business.ts"
import { type Customer, CustomerChanges, CustomerInput } from "../../customers/Customer.ts"
import { CustomerRepository } from "../../customers/CustomerRepository.ts"
import { Customers } from "../../customers/Customers.ts"
import { canonicalPhone, countryOfZone, phoneNumberOf } from "../../kernel/fields/PhoneNumber.ts"
import { Transaction } from "../../kernel/Transaction.ts"
import { TripUnitOfWork } from "../../trips/changes/TripUnitOfWork.ts"
import type { Values } from "../Cells.ts"
import type { LineOutcome } from "../Import.ts"
import { type CustomerKeys, MatchRepository } from "../MatchRepository.ts"
import { countryCode } from "./Countries.ts"
import {
  addressIn,
  decoderOf,
  differences,
  firstOfEach,
  type Line,
  nameIn,
  refusedLine,
  storedLine,
  without
} from "./Line.ts"

const parts = ["first_name", "last_name", "street", "postal_code", "city", "address"]

/** The fields of a customer that a line gives. */
const sentOf = (values: Values): Values => {
  const [name, address] = [nameIn(values), addressIn(values)]
  const { country } = values
  return {
    ...without(values, parts),
    ...(name === undefined ? {} : { name }),
    ...(address === undefined ? {} : { address }),
    ...(typeof country === "string" ? { country: countryCode(country) } : {})
  }
}

const decodeInput = decoderOf(CustomerInput)
const decodeChanges = decoderOf(CustomerChanges)

/** A line whose values are right. */
interface ReadLine {
  readonly line: number
  readonly input: CustomerInput
  readonly sent: Values
  /** What another line of the same customer has too. */
  readonly keys: ReadonlyArray<string>
}

/** The digits with which a stored number ends, however it is written. */
const endOfPhone = (phone: string, country: string | null): string =>
  phoneNumberOf(phone, country)?.plan?.national ?? phone.replaceAll(/\D/gu, "")

/** The keys of customers, to find them by. */
const keysOf = (
  found: ReadonlyArray<Pick<CustomerInput, "external_ref" | "email" | "phone" | "name">>,
  country: string | null
): CustomerKeys => ({
  refs: found.flatMap(({ external_ref }) => external_ref ?? []),
  emails: found.flatMap(({ email }) => email ?? []),
  phones: found.flatMap(({ phone }) => {
    const end = phone === null ? "" : endOfPhone(phone, country)
    return end.length < 3 ? [] : [end]
  }),
  names: found.flatMap(({ email, external_ref, name, phone }) =>
    email === null && external_ref === null && phone === null ? [name] : []
  )
})

/** Finds the customer of a line among candidates: by the `external_ref`, the email, the phone number, or else the name alone. */
export const makeFind = (candidates: ReadonlyArray<Customer>, country: string | null) => {
  const index = (keyOf: (customer: Customer) => string | null | undefined) => {
    const byKey = new Map<string, Customer>()
    for (const customer of candidates) {
      const key = keyOf(customer)
      if (key !== null && key !== undefined && !byKey.has(key)) byKey.set(key, customer)
    }
    return (key: string | null | undefined) =>
      key === null || key === undefined ? undefined : byKey.get(key)
  }
  const phoneOf = (phone: string | null) => (phone === null ? null : canonicalPhone(phone, country))
  const byRef = index(({ external_ref }) => external_ref)
  const byEmail = index(({ email }) => email)
  const byPhone = index(({ phone }) => phoneOf(phone))
  const byName = index(({ name }) => name)
  return ({
    email,
    external_ref,
    name,
    phone
  }: Pick<CustomerInput, "external_ref" | "email" | "phone" | "name">): Customer | undefined => {
    const named = byRef(external_ref)
    if (named !== undefined) return named
    // A record with another name in the other system, or another email, is another customer.
    const isSame = (one: Customer | undefined) =>
      one !== undefined &&
      (external_ref === null || one.external_ref === null || one.external_ref === external_ref) &&
      (email === null || one.email === null || one.email === email)
        ? one
        : undefined
    const isNamedAlone = external_ref === null && email === null && phone === null
    return (
      isSame(byEmail(email)) ?? isSame(byPhone(phoneOf(phone))) ?? (isNamedAlone ? byName(name) : undefined)
    )
  }
}

/** Builds the function that stores lines of customers. */
export const makeCustomerLines = Effect.gen(function* () {
  const transaction = yield* Transaction
  const customers = yield* CustomerRepository
  const useCases = yield* Customers
  const unitOfWork = yield* TripUnitOfWork
  const matches = yield* MatchRepository

  const change = (
    acting: ActingBusiness,
    { line, sent }: ReadLine,
    found: Customer,
    country: string | null
  ) =>
    Effect.gen(function* () {
      const changes = differences(found, sent, (name, one, other) => {
        if (name !== "phone" || typeof one !== "string" || typeof other !== "string") return false
        return canonicalPhone(one, country) === canonicalPhone(other, country)
      })
      const { customer_id: record_id } = found
      if (Object.keys(changes).length === 0) return storedLine(line, { status: "matched", record_id })
      const decoded = decodeChanges(changes)
      if (Result.isFailure(decoded)) return refusedLine(line, decoded.failure)
      return yield* transaction.run(useCases.update(acting, record_id, decoded.success)).pipe(
        Effect.match({
          onSuccess: () => storedLine(line, { status: "changed", record_id }),
          onFailure: (error) => refusedLine(line, error)
        })
      )
    })

  const insert = Effect.fnUntraced(function* (acting: ActingBusiness, lines: ReadonlyArray<ReadLine>) {
    const { business_id } = acting
    yield* customers.lockEmails(business_id)
    const stored = yield* customers.insertAll(
      business_id,
      lines.map(({ input }) => input),
      yield* DateTime.now
    )
    const emails = stored.flatMap(({ email }) => email ?? [])
    const ofTrips = new Set(emails.length === 0 ? [] : yield* matches.emailsOfTrips(business_id, emails))
    for (const { customer_id, email } of stored)
      if (email !== null && ofTrips.has(email)) yield* unitOfWork.linkTripsByEmail(acting, customer_id, email)
    // The email of a line that was left out was given to another customer meanwhile: the line is matched again.
    const isStored = new Set(emails)
    const made = lines.filter(({ input: { email } }) => email === null || isStored.has(email))
    return {
      left: lines.filter((line) => !made.includes(line)),
      outcomes: made.flatMap(({ line }, at) => {
        const record_id = stored[at]?.customer_id
        return record_id === undefined ? [] : [storedLine(line, { status: "made", record_id })]
      })
    }
  })

  return Effect.fnUntraced(function* (
    acting: ActingBusiness,
    lines: ReadonlyArray<Line>
  ): Effect.fn.Return<ReadonlyArray<LineOutcome>> {
    const country = countryOfZone(acting.timezone)
    const outcomes: Array<LineOutcome> = []
    let waiting: ReadonlyArray<ReadLine> = lines.flatMap(({ line, values }): ReadonlyArray<ReadLine> => {
      const decoded = decodeInput(sentOf(values))
      if (Result.isFailure(decoded)) {
        outcomes.push(refusedLine(line, decoded.failure))
        return []
      }
      const { success: input } = decoded
      const names = Object.keys(sentOf(values))
      const sent = Object.fromEntries(
        Object.entries(input).filter(([name, value]) => names.includes(name) && value !== null)
      )
      const { emails, names: alone, phones, refs } = keysOf([input], country)
      const keys = [
        ...refs.map((key) => `r${key}`),
        ...emails.map((key) => `e${key}`),
        ...phones.map((key) => `p${key}`),
        ...alone.map((key) => `n${key}`)
      ]
      return [{ line, input, sent, keys }]
    })
    while (waiting.length > 0) {
      // A line that may be of the same customer as an earlier one waits for that.
      const { later, now } = firstOfEach(waiting, ({ keys }) => keys)
      const candidates = yield* matches.customers(
        acting.business_id,
        keysOf(
          now.map(({ input }) => input),
          country
        )
      )
      const find = makeFind(candidates, country)
      const created: Array<ReadLine> = []
      for (const line of now) {
        const found = find(line.input)
        if (found === undefined) created.push(line)
        else outcomes.push(yield* change(acting, line, found, country))
      }
      if (created.length > 0) {
        const inserted = yield* insert(acting, created)
        outcomes.push(...inserted.outcomes)
        later.push(...inserted.left)
      }
      waiting = later
    }
    return outcomes
  })
})
