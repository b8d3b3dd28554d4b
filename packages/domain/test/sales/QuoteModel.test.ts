import {
  ActingBusiness,
  BusinessId,
  Currency,
  FareEstimates,
  isOpenQuote,
  PublicQuotes,
  quoteMachine,
  QuoteChanges,
  QuoteId,
  QuoteInput,
  Quotes,
  QuoteStatus,
  Detaching,
  TripFares,
  Trips
} from "@livery/domain"
import { Memory, Store } from "@livery/memory"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Layer, Redacted, Schema } from "effect"
import { TestClock } from "effect/testing"
import { addBusiness } from "../support/Businesses.ts"

const acting = ActingBusiness.make({
  business_id: BusinessId.make(1),
  business_name: "Business 1",
  status: "A",
  currency: Currency.make("USD"),
  timezone: "UTC"
})

const trip = {
  trip_date: "1970-02-01T00:00:00Z",
  pickup_address: "Here",
  dropoff_address: "There",
  customer_name: "Ada"
}
const input = Schema.decodeSync(QuoteInput)({
  customer_name: "Ada",
  valid_until: "1970-01-02T00:00:00Z",
  items: [{ description: "Ride", trip, amount: 90 }]
})
const otherAmount = Schema.decodeSync(QuoteChanges)({
  items: [{ description: "Ride", trip, amount: 80 }]
})

/** The steps that callers take, and the passing of the time until which the quote is valid. */
const Step = Schema.Literals([
  "price",
  "change",
  "send",
  "accept",
  "reject",
  "convert",
  "accept by link",
  "reject by link",
  "wait"
])
type Step = typeof Step.Type

/** What a step makes of a status; undefined if it is refused. */
const expected = (status: QuoteStatus, step: Step, hasLink: boolean): QuoteStatus | undefined => {
  const isOpen = isOpenQuote(status)
  const answered = (to: QuoteStatus, by: "operator" | "customer") =>
    quoteMachine.can(status, to, by) ? to : undefined
  switch (step) {
    case "price":
    case "change":
      return isOpen ? "draft" : undefined
    case "send":
      return isOpen ? "sent" : undefined
    case "accept":
      return answered("accepted", "operator")
    case "reject":
      return answered("rejected", "operator")
    case "accept by link":
      return hasLink ? answered("accepted", "customer") : undefined
    case "reject by link":
      return hasLink ? answered("rejected", "customer") : undefined
    case "convert":
      return isOpen || status === "accepted" ? "converted" : undefined
    case "wait":
      return isOpen ? "expired" : status
  }
}

const layer = Layer.mergeAll(Quotes.layer, PublicQuotes.layer).pipe(
  Layer.provideMerge(TripFares.layer),
  Layer.provide([Trips.layer, FareEstimates.layer]),
  Layer.provide(Detaching.layer),
  Layer.provideMerge(Memory.layer)
)

const start = Effect.gen(function* () {
  const quotes = yield* Quotes
  const links = yield* PublicQuotes
  const store = yield* Store
  addBusiness(store, 1)
  const made = yield* quotes.create(acting, input)
  const id = QuoteId.make(made.quote_id)
  let token = Redacted.make("none")

  const take = (step: Step): Effect.Effect<unknown, unknown> => {
    switch (step) {
      case "price":
        return quotes.price(acting, id, { vehicle_class: null, tariff_id: null, amounts: [70] })
      case "change":
        // Another amount each time, so that each change makes a difference.
        return Effect.flatMap(quotes.get(acting, id), ({ total_amount }) =>
          quotes.update(acting, id, total_amount === 80 ? { items: input.items } : otherAmount)
        )
      case "send":
        return Effect.tap(quotes.send(acting, id), (sent) =>
          Effect.sync(() => {
            token = sent.token
          })
        )
      case "accept":
        return quotes.accept(acting, id, { name: null, address: null })
      case "reject":
        return quotes.reject(acting, id, null)
      case "convert":
        return quotes.convert(acting, id, false)
      case "accept by link":
        return links.accept(token, { name: "Ada", address: "192.0.2.7" })
      case "reject by link":
        return links.reject(token, null)
      case "wait":
        return TestClock.setTime(86_400_000)
    }
  }
  const status = Effect.map(quotes.get(acting, id), (quote) => quote.status)
  const recorded = () => ({
    accepted: store.events.where(({ type }) => type === "quote.accepted").length,
    created: store.events.where(({ type }) => type === "trip.created").length,
    trips: store.trips.where().length
  })
  return { recorded, status, take }
})

/** Takes the steps one after the other, and compares the quote with the model after each. */
const follow = (steps: ReadonlyArray<Step>) =>
  Effect.gen(function* () {
    yield* TestClock.setTime(0)
    const { recorded, status, take } = yield* start
    let model: QuoteStatus = "draft"
    let hasLink = false
    let accepted = 0
    for (const [index, step] of steps.entries()) {
      const cell = `${steps.slice(0, index).join(", ")}, then ${step}`
      const next = expected(model, step, hasLink)
      const before: QuoteStatus = model
      const exit = yield* Effect.exit(take(step))
      assert.strictEqual(Exit.isSuccess(exit), next !== undefined, cell)
      assert.isFalse(Exit.hasDies(exit), cell)
      model = next ?? model
      if (next !== undefined && (step === "price" || step === "change")) hasLink = false
      if (next !== undefined && step === "send") hasLink = true
      const isNewlyAccepted = model === "accepted" || model === "converted"
      if (isNewlyAccepted && before !== model && before !== "accepted") accepted += 1
      assert.strictEqual(yield* status, model, cell)
      const booked = model === "converted" ? 1 : 0
      assert.deepStrictEqual(recorded(), { accepted, created: booked, trips: booked }, cell)
    }
  }).pipe(Effect.provide(Layer.fresh(layer)))

/** The shortest way to each status. */
const ways: Readonly<Record<QuoteStatus, ReadonlyArray<Step>>> = {
  draft: [],
  sent: ["send"],
  accepted: ["send", "accept by link"],
  converted: ["convert"],
  rejected: ["reject"],
  expired: ["send", "wait"]
}

describe("a quote", () => {
  it("moves as its table says, of all 36 pairs", () => {
    const moves = QuoteStatus.literals.flatMap((from) =>
      quoteMachine.next(from).map((to) => `${from} ${to}: ${String(quoteMachine.transitions[from][to])}`)
    )
    assert.deepStrictEqual(moves, [
      "draft sent: operator",
      "draft accepted: operator",
      "draft rejected: operator",
      "draft expired: system",
      "sent draft: operator",
      "sent accepted: operator,customer",
      "sent rejected: operator,customer",
      "sent expired: system",
      "accepted converted: operator",
      "accepted rejected: operator"
    ])
  })

  for (const status of QuoteStatus.literals)
    it.effect(`that is ${status} takes the steps that its table permits, and no others`, () =>
      Effect.forEach(Step.literals, (step) => follow([...ways[status], step]), { discard: true })
    )

  it.effect.prop(
    "is what its model says after any steps, with one event for each acceptance and each trip",
    { steps: Schema.Array(Step).check(Schema.isMaxLength(12)) },
    ({ steps }) => follow(steps),
    { arbitrary: { runs: 200 } }
  )
})
