/** Businesses that raise invoices, for tests over HTTP. */
import { assert, layer } from "@effect/vitest"
import { MoneyCheck } from "@livery/domain"
import { Effect, type Scope } from "effect"
import { company, type plans } from "../support/Fleet.ts"
import { Rows } from "../support/Rows.ts"
import { type CommonPorts, Ports, PortsInMemory } from "../support/TestPorts.ts"
import { type Answer, record, refusedAs, type TestServer } from "../support/TestServer.ts"

/** A line of 100 without tax. */
export const line = { description: "Transfer", unit_price: 100 }

/** A business, with functions that raise and pay its invoices. */
export const biller = Effect.fnUntraced(function* (server: TestServer, plan: keyof typeof plans = "fleet") {
  const owner = yield* company(server, plan)
  const rows = yield* Rows
  const { businessId, send } = owner
  const raise = (body: object = { items: [line] }) => send("POST", "/invoices", body)
  const pay = (invoiceId: unknown, amount: number) =>
    send("POST", `/invoices/${String(invoiceId)}/payments`, { amount, method: "cash" })
  return {
    ...owner,
    raise,
    invoice: (body?: object) => Effect.map(raise(body), record),
    read: (invoiceId: unknown) => Effect.map(send("GET", `/invoices/${String(invoiceId)}`), record),
    pay,
    payment: (invoiceId: unknown, amount: number) => Effect.map(pay(invoiceId, amount), record),
    paymentStatusOf: (tripId: unknown) =>
      Effect.map(send("GET", `/trips/${String(tripId)}`), (answer) => record(answer)["payment_status"]),
    /** The events of invoices and payments, in order. */
    events: Effect.map(rows.eventsOf(businessId), (events) =>
      events
        .filter(({ type }) => /^(?:invoice|payment)\./u.test(type))
        .map(({ data, type }) => ({ type, data: Object.fromEntries<unknown>(Object.entries(data)) }))
    )
  }
})

/** The fields that a refusal names. */
export const wrongFields = (answer: Answer) => {
  const details = refusedAs(answer, 422, "invalid_request") ?? []
  return Object.fromEntries(details.map(({ field, issue }) => [String(field), issue]))
}

/** The number of events of each type. */
export const countsOf = (events: ReadonlyArray<{ readonly type: string }>) => {
  const counts: Record<string, number> = {}
  for (const { type } of events) counts[type] = (counts[type] ?? 0) + 1
  return counts
}

/** Checks that the answers have these statuses, in any order. */
export const assertStatuses = (answers: ReadonlyArray<Answer>, statuses: ReadonlyArray<number>) =>
  assert.deepStrictEqual(
    answers.map(({ status }) => status).toSorted((one, other) => one - other),
    statuses
  )

/** Checks that every sum of every business equals its ledger. */
export const assertMoney = Effect.gen(function* () {
  const { run } = yield* MoneyCheck
  assert.deepStrictEqual(yield* run(), [])
}).pipe(Effect.provide(MoneyCheck.layer))

/** Declares a test of billing. */
interface BillingTests<P> {
  readonly effect: (title: string, test: () => Effect.Effect<unknown, unknown, P | Scope.Scope>) => void
}

/**
 * Tests of billing over HTTP, on the ports in memory. After each of them, the check of `livery check money` runs: every sum
 * of every business equals its ledger.
 */
export const billing = (name: string, declare: (it: BillingTests<CommonPorts>) => void) =>
  layer(PortsInMemory)(name, (it) =>
    declare({ effect: (title, test) => it.effect(title, () => Effect.andThen(test(), assertMoney)) })
  )

/** {@link billing} on PostgreSQL. */
export const billingPg = (name: string, declare: (it: BillingTests<Ports>) => void) =>
  layer(Ports, { timeout: 60_000 })(name, (it) =>
    declare({ effect: (title, test) => it.effect(title, () => Effect.andThen(test(), assertMoney)) })
  )
