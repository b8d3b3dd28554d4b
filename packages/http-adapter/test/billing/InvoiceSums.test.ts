/** The sums of random invoices over HTTP, compared with sums in whole minor units that are calculated here. */
import { assert, layer } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { extent } from "../../../../test/faults/support/Extent.ts"
import { Ports } from "../support/TestPorts.ts"
import { openServer, record, records } from "../support/TestServer.ts"
import { assertMoney, biller } from "./Billing.ts"

const decimals = { JPY: 0, EUR: 2, KWD: 3 } as const
type Code = keyof typeof decimals

const int = (minimum: number, maximum: number) => Schema.Int.check(Schema.isBetween({ minimum, maximum }))

/** A line: a price in minor units, and a quantity and a rate in thousandths. */
const Line = Schema.Struct({
  price: int(0, 90_000),
  quantity: Schema.Union([Schema.Literals([1000, 2000, -1000]), int(1, 20_000)]),
  rate: Schema.Literals([0, 8100, 19_000, 5125])
})
type Line = typeof Line.Type

/** `share` is the part of what is possible, in percent; more than 100 is too much. */
const Step = Schema.Struct({
  kind: Schema.Literals(["pay", "refund", "credit", "credit all"]),
  share: Schema.Literals([1, 33, 50, 99, 100, 130]),
  line: Line
})

const Drawn = Schema.Struct({
  currency: Schema.Literals(["JPY", "EUR", "KWD"]),
  lines: Schema.NonEmptyArray(Line).check(Schema.isMaxLength(6)),
  steps: Schema.Array(Step).check(Schema.isMinLength(3), Schema.isMaxLength(8))
})

/** The nearest whole number, halves away from zero. */
const divided = (numerator: bigint, denominator: bigint) => {
  const size = (2n * (numerator < 0n ? -numerator : numerator) + denominator) / (2n * denominator)
  return numerator < 0n ? -size : size
}
const smaller = (one: bigint, other: bigint) => (one < other ? one : other)
const larger = (one: bigint, other: bigint) => (one > other ? one : other)
const sum = (amounts: Iterable<bigint>) => [...amounts].reduce((total, amount) => total + amount, 0n)

const amountOf = ({ price, quantity }: Line) => divided(BigInt(price) * BigInt(quantity), 1000n)

/** The amounts of lines by rate. */
const byRate = (lines: ReadonlyArray<Line>) => {
  const amounts = new Map<number, bigint>()
  for (const line of lines) amounts.set(line.rate, (amounts.get(line.rate) ?? 0n) + amountOf(line))
  return amounts
}
const taxOf = (amounts: ReadonlyMap<number, bigint>) =>
  sum([...amounts].map(([rate, amount]) => divided(amount * BigInt(rate), 100_000n)))

const both = (one: ReadonlyMap<number, bigint>, other: ReadonlyMap<number, bigint>, sign = 1n) =>
  new Map([...one].map(([rate, amount]) => [rate, amount + sign * (other.get(rate) ?? 0n)]))

const majorIn = (currency: Code) => (minor: bigint | number) =>
  Number((Number(minor) / 10 ** decimals[currency]).toFixed(decimals[currency]))

const sentLine = (currency: Code) => (line: Line) => ({
  description: "Line",
  unit_price: majorIn(currency)(line.price),
  quantity: line.quantity / 1000,
  tax_rate: line.rate / 1000
})

/** Raises an invoice, takes the steps, and compares its sums with the calculated ones after each of them. */
const compare = Effect.fnUntraced(function* (
  { raise, read, send }: Effect.Success<ReturnType<typeof biller>>,
  { currency, lines, steps }: typeof Drawn.Type
) {
  const major = majorIn(currency)
  const charged = byRate(lines)
  const subtotal = sum(charged.values())
  const total = subtotal + taxOf(charged)
  const raised = yield* raise({ currency, items: lines.map(sentLine(currency)) })
  if (subtotal < 0n || total < 0n) {
    assert.strictEqual(raised.status, 422)
    return
  }
  const invoice = record(raised)
  assert.deepInclude(invoice, {
    subtotal: major(subtotal),
    tax_total: major(total - subtotal),
    total_amount: major(total)
  })
  const path = `/invoices/${String(invoice["invoice_id"])}`
  yield* send("GET", `/public/invoices/${String(invoice["payment_hash"])}`)

  let credited = new Map([...charged.keys()].map((rate) => [rate, 0n]))
  let creditedTotal = 0n
  /** What counts of each payment, and what does not. */
  const payments: Array<{ readonly id: unknown; counted: bigint; excess: bigint }> = []
  const paid = () => sum(payments.map(({ counted }) => counted))

  for (const { kind, line, share } of steps) {
    const part = (of: bigint) => larger(1n, divided(of * BigInt(share), 100n))
    const due = total - creditedTotal - paid()
    switch (kind) {
      case "pay": {
        const amount = part(due)
        const answer = yield* send("POST", `${path}/payments`, {
          amount: major(amount),
          method: "cash"
        })
        const excess = larger(0n, amount - due)
        assert.deepInclude(record(answer), { amount: major(amount), excess_amount: major(excess) })
        payments.push({ id: record(answer)["payment_id"], counted: amount - excess, excess })
        break
      }
      case "refund": {
        const payment = payments.at(-1)
        if (payment === undefined) break
        const left = payment.counted + payment.excess
        if (left === 0n) break
        const amount = part(left)
        const answer = yield* send("POST", `${path}/payments/${String(payment.id)}/refund`, {
          amount: major(amount)
        })
        assert.strictEqual(answer.status, amount > left ? 422 : 201)
        if (amount > left) break
        const ofExcess = smaller(amount, payment.excess)
        payment.excess -= ofExcess
        payment.counted -= amount - ofExcess
        break
      }
      default: {
        const lines = [{ ...line, quantity: Math.abs(line.quantity) }]
        const rest = both(charged, credited, -1n)
        const taken = kind === "credit" ? byRate(lines) : rest
        const after = both(credited, taken)
        const tax = taxOf(after) - taxOf(credited)
        const amount = sum(taken.values()) + tax
        const isTooMuch =
          creditedTotal + amount > total ||
          (kind === "credit" && (amountOf(lines[0] ?? line) > (rest.get(line.rate) ?? 0n) || amount === 0n))
        const body = kind === "credit" ? { items: lines.map(sentLine(currency)) } : {}
        const answer = yield* send("POST", `${path}/credit-notes`, body)
        if (creditedTotal === total) {
          assert.include([409, 422], answer.status)
          break
        }
        if (isTooMuch) {
          assert.strictEqual(answer.status, 422)
          break
        }
        const excess = larger(0n, paid() - (total - creditedTotal - amount))
        assert.deepInclude(record(answer), {
          tax_total: major(-tax),
          total_amount: major(-amount),
          refund_amount: major(excess)
        })
        credited = after
        creditedTotal += amount
        let left = excess
        for (const payment of payments.toReversed()) {
          const returned = smaller(left, payment.counted)
          payment.counted -= returned
          left -= returned
        }
      }
    }
    const net = paid()
    const rest = total - creditedTotal
    assert.deepInclude(yield* read(invoice["invoice_id"]), {
      status: net === 0n ? "unpaid" : net < rest ? "partial" : "paid",
      amount_paid: major(net),
      amount_credited: major(creditedTotal),
      amount_due: major(rest - net),
      amount_to_refund: major(sum(payments.map(({ excess }) => excess)))
    })
  }
  const notes = records(yield* send("GET", `${path}/credit-notes`))
  const ofNotes = sum(
    notes.map((note) => BigInt(Math.round(Number(note["total_amount"]) * 10 ** decimals[currency])))
  )
  assert.strictEqual(ofNotes, -creditedTotal)
})

layer(Ports, { timeout: 600_000 })("random invoices", (it) => {
  it.effect.prop(
    "have the sums of their lines, and after payments, refunds and credit notes the balance that follows from them",
    { invoices: Schema.Array(Drawn).check(Schema.isMinLength(4), Schema.isMaxLength(8)) },
    ({ invoices }) =>
      Effect.gen(function* () {
        const business = yield* biller(yield* openServer())
        for (const invoice of invoices) yield* compare(business, invoice)
        yield* assertMoney
      }),
    { arbitrary: { runs: extent(60, 4) }, timeout: extent(600_000, 120_000) }
  )
})
