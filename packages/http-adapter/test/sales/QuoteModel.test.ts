/** Random steps of a quote over HTTP, compared with the model; many more of them with `LIVERY_FAULTS=full`. */
import { QuoteStatus, quoteMachine } from "@livery/domain"
import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { extent } from "../../../../test/faults/support/Extent.ts"
import {
  amounts,
  draftQuote,
  type QuoteModel,
  QuoteStep,
  takeQuoteStep,
  takeWithLinkOf,
  waysOfQuote
} from "../../../../test/support/models/QuoteModel.ts"
import { booking, tariff } from "../support/Tenant.ts"
import { Ports } from "../support/TestPorts.ts"
import { openServer, record } from "../support/TestServer.ts"
import { follow, type Modelled, takeConcurrently } from "./Modelled.ts"
import { seller } from "./QuoteSeller.ts"

const trip = { ...booking, trip_date: "2050-12-24T18:00:00Z", distance_m: 10_000, duration_minutes: 20 }
const itemsOf = (amount: number) => [{ description: "Ride", trip, amount }]

/** A business with a tariff, and the function that makes a quote as the model describes it. */
const modelledSeller = Effect.gen(function* () {
  const server = yield* openServer()
  const { answer, events, quote, send, step: post } = yield* seller(server)
  const sql = yield* SqlClient.SqlClient
  record(yield* send("POST", "/tariffs", tariff))
  const newQuote = Effect.gen(function* () {
    const valid_until = DateTime.formatIso(DateTime.add(yield* DateTime.now, { days: 1 }))
    const { quote_id } = yield* quote({ items: itemsOf(amounts.made), valid_until })
    const path = `/quotes/${String(quote_id)}`
    const counted = Effect.all([events("quote.accepted"), events("trip.created")])
    const [acceptedBefore, createdBefore] = yield* counted
    const tokens: Array<string> = []
    const token = () => tokens.at(-1) ?? "none"
    let notes = 0
    const modelled: Modelled<QuoteModel, QuoteStep, never, never> = {
      take: Effect.fnUntraced(function* (step: QuoteStep) {
        switch (step) {
          case "price":
            return yield* post(quote_id, "price", { amounts: [amounts.price] })
          case "fare":
            return yield* post(quote_id, "price", { vehicle_class: "sedan" })
          case "change":
            return yield* send("PATCH", path, { items: itemsOf(amounts.change) })
          case "note":
            notes += 1
            return yield* send("PATCH", path, { notes: `Note ${notes}` })
          case "send": {
            const sent = yield* post(quote_id, "send", { email: false })
            if (sent.status === 200) tokens.push(String(record(sent)["token"]))
            return sent
          }
          case "accept by link":
            return yield* answer(token(), "accept")
          case "reject by link":
            return yield* answer(token(), "reject", {})
          case "old link":
            return yield* answer(tokens.at(-2) ?? "none", "accept")
          case "accept":
          case "reject":
          case "convert":
            return yield* post(quote_id, step)
          case "wait":
            yield* TestClock.adjust("1 day")
            return undefined
        }
      }),
      read: Effect.gen(function* () {
        const found = record(yield* send("GET", path))
        const status = Schema.decodeUnknownSync(QuoteStatus)(found["status"])
        assert.deepStrictEqual(found["allowed_transitions"], quoteMachine.next(status, "operator"))
        const shown = yield* server.send("GET", `/public/quotes/${token()}`)
        if (shown.status === 200) assert.strictEqual(record(shown)["status"], status)
        const [accepted, created] = yield* counted
        const trips = yield* sql`
          SELECT FROM quote_trips WHERE quote_id = ${String(quote_id)}`.pipe(Effect.orDie)
        const tripIds = found["trip_ids"] as ReadonlyArray<number>
        assert.deepStrictEqual(
          [tripIds.length, created.length - createdBefore.length],
          [trips.length, trips.length]
        )
        return {
          status,
          amount: Number(found["total_amount"]),
          version: Number(found["version"]),
          links: tokens.length,
          hasLink: shown.status === 200,
          accepted: accepted.length - acceptedBefore.length,
          trips: trips.length
        }
      }).pipe(Effect.orDie)
    }
    return modelled
  })
  return newQuote
})

const model = { start: draftQuote, take: takeQuoteStep }

const timeout = extent(600_000, 120_000)

/** The steps that may be concurrent. Steps of the clock are not, because all records share it. */
const concurrentSteps = QuoteStep.literals.filter((step) => step !== "wait" && step !== "old link")

layer(Ports, { timeout: 600_000 })("a quote over HTTP", (it) => {
  it.effect("accepts the steps that its status permits, and no others", () =>
    Effect.gen(function* () {
      const newQuote = yield* modelledSeller
      for (const status of QuoteStatus.literals)
        for (const step of QuoteStep.literals)
          yield* follow(yield* newQuote, model, [...waysOfQuote[status], step])
    })
  )

  it.effect.prop(
    "equals its model after random steps",
    { steps: Schema.Array(QuoteStep).check(Schema.isMinLength(4), Schema.isMaxLength(12)) },
    ({ steps }) =>
      Effect.gen(function* () {
        const newQuote = yield* modelledSeller
        yield* follow(yield* newQuote, model, steps)
      }),
    { arbitrary: { runs: extent(200, 8) }, timeout }
  )

  it.effect(
    "has after any two concurrent steps the state of the same steps in some order",
    () =>
      Effect.gen(function* () {
        const newQuote = yield* modelledSeller
        const pairs = concurrentSteps.flatMap((one, index) =>
          concurrentSteps.slice(index).map((other) => [one, other] as const)
        )
        for (const status of ["draft", "sent", "accepted"] as const)
          for (const [index, pair] of pairs.entries()) {
            if (index % extent(1, 6) !== 0) continue
            const quote = yield* newQuote
            const before = yield* follow(quote, model, waysOfQuote[status])
            yield* takeConcurrently(quote, { before, take: takeWithLinkOf(before) }, pair)
          }
      }),
    timeout
  )

  it.effect.prop(
    "has after random concurrent steps the state of the same steps in some order",
    {
      steps: Schema.Array(Schema.Literals(concurrentSteps)).check(
        Schema.isMinLength(3),
        Schema.isMaxLength(5)
      ),
      status: QuoteStatus
    },
    ({ status, steps }) =>
      Effect.gen(function* () {
        const newQuote = yield* modelledSeller
        const quote = yield* newQuote
        const before = yield* follow(quote, model, waysOfQuote[status])
        yield* takeConcurrently(quote, { before, take: takeWithLinkOf(before) }, steps)
      }),
    { arbitrary: { runs: extent(200, 6) }, timeout }
  )
})
