import {
  FareEstimates,
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
import {
  amounts,
  draftQuote,
  type QuoteModel,
  QuoteStep,
  takeQuoteStep,
  waysOfQuote
} from "../../../../test/support/models/QuoteModel.ts"
import { addBusiness } from "../support/Businesses.ts"
import { followModel, type Modelled } from "../support/Modelled.ts"
import { business } from "../support/People.ts"

const acting = business(1)

const trip = {
  trip_date: "1970-02-01T00:00:00Z",
  pickup_address: "Here",
  dropoff_address: "There",
  customer_name: "Ada"
}
const input = Schema.decodeSync(QuoteInput)({
  customer_name: "Ada",
  valid_until: "1970-01-02T00:00:00Z",
  items: [{ description: "Ride", trip, amount: amounts.made }]
})
const otherAmount = Schema.decodeSync(QuoteChanges)({
  items: [{ description: "Ride", trip, amount: amounts.change }]
})

/** The steps in memory, where no tariff prices a quote. */
const steps = QuoteStep.literals.filter((step) => step !== "fare")
const Step = Schema.Literals(steps)

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

  let old = Redacted.make("none")
  let sends = 0
  let notes = 0

  const take = (step: QuoteStep): Effect.Effect<unknown, unknown> => {
    switch (step) {
      case "fare":
        return Effect.die("No tariff prices this quote")
      case "note":
        notes += 1
        return quotes.update(acting, id, { notes: `Note ${notes}` })
      case "old link":
        return links.accept(old, { name: "Ada", address: "192.0.2.7" })
      case "price":
        return quotes.price(acting, id, { vehicle_class: null, tariff_id: null, amounts: [amounts.price] })
      case "change":
        return quotes.update(acting, id, otherAmount)
      case "send":
        return Effect.tap(quotes.send(acting, id), (sent) =>
          Effect.sync(() => {
            old = token
            token = sent.token
            sends += 1
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
  const compare = Effect.fnUntraced(function* (model: QuoteModel, path: string) {
    const { status, total_amount, trip_ids, version } = yield* Effect.orDie(quotes.get(acting, id))
    const created = store.events.where(({ type }) => type === "trip.created").length
    assert.deepStrictEqual([created, trip_ids.length], [store.trips.where().length, created])
    const found: QuoteModel = {
      status,
      amount: total_amount ?? 0,
      version,
      links: sends,
      hasLink: Exit.isSuccess(yield* Effect.exit(links.read(token))),
      accepted: store.events.where(({ type }) => type === "quote.accepted").length,
      trips: created
    }
    assert.deepStrictEqual(found, model, path)
  })
  const modelled: Modelled<QuoteModel, QuoteStep> = { take, compare }
  return modelled
})

/** Takes the steps one after the other, and compares the quote with its model after each. */
const follow = (steps: ReadonlyArray<QuoteStep>) =>
  Effect.gen(function* () {
    yield* TestClock.setTime(0)
    yield* followModel(yield* start, { start: draftQuote, take: takeQuoteStep }, steps)
  }).pipe(Effect.provide(Layer.fresh(layer)))

describe("a quote", () => {
  it("permits exactly the listed ones of all 36 moves", () => {
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
      Effect.forEach(steps, (step) => follow([...waysOfQuote[status], step]), { discard: true })
    )

  it.effect.prop(
    "equals its model after any steps, with one event for each acceptance and each trip",
    { steps: Schema.Array(Step).check(Schema.isMaxLength(12)) },
    ({ steps }) => follow(steps),
    { arbitrary: { runs: 200 } }
  )
})
