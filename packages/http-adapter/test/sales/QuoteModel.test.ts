/** Random steps of a quote over HTTP, compared with the model; many more of them with `LIVERY_FAULTS=full`. */
import { QuoteStatus, quoteMachine } from "@livery/domain"
import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
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
import type { Modelled } from "./Modelled.ts"
import { testModel } from "./ModelTests.ts"
import { seller } from "./QuoteSeller.ts"

const trip = { ...booking, trip_date: "2050-12-24T18:00:00Z", distance_m: 10_000, duration_minutes: 20 }
const itemsOf = (amount: number) => [{ description: "Ride", trip, amount }]

/** A business with a tariff, and the function that makes a quote as the model describes it. */
const quotingBusiness = Effect.gen(function* () {
  const server = yield* openServer()
  const { answer, events, quote: makeQuote, send, step: post } = yield* seller(server)
  const sql = yield* SqlClient.SqlClient
  record(yield* send("POST", "/tariffs", tariff))
  const newRecord = Effect.gen(function* () {
    const valid_until = DateTime.formatIso(DateTime.add(yield* DateTime.now, { days: 1 }))
    const { quote_id } = yield* makeQuote({ items: itemsOf(amounts.made), valid_until })
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
        const quote = record(yield* send("GET", path))
        const status = yield* Schema.decodeUnknownEffect(QuoteStatus)(quote["status"])
        assert.deepStrictEqual(quote["allowed_transitions"], quoteMachine.next(status, "operator"))
        const shown = yield* server.send("GET", `/public/quotes/${token()}`)
        if (shown.status === 200) assert.strictEqual(record(shown)["status"], status)
        const [accepted, created] = yield* counted
        const trips = yield* sql`
          SELECT FROM quote_trips WHERE quote_id = ${String(quote_id)}`.pipe(Effect.orDie)
        const tripIds = quote["trip_ids"] as ReadonlyArray<number>
        assert.deepStrictEqual(
          [tripIds.length, created.length - createdBefore.length],
          [trips.length, trips.length]
        )
        return {
          status,
          amount: Number(quote["total_amount"]),
          version: Number(quote["version"]),
          links: tokens.length,
          hasLink: shown.status === 200,
          accepted: accepted.length - acceptedBefore.length,
          trips: trips.length
        }
      }).pipe(Effect.orDie)
    }
    return modelled
  })
  return { newRecord }
})

layer(Ports, { timeout: 600_000 })("a quote over HTTP", (it) => {
  testModel(it, {
    model: { start: draftQuote, take: takeQuoteStep },
    steps: QuoteStep,
    stepsOverHttp: ["fare"],
    statuses: QuoteStatus,
    ways: waysOfQuote,
    waysToPairs: [waysOfQuote.draft, waysOfQuote.sent, waysOfQuote.accepted],
    concurrentSteps: QuoteStep.literals.filter((step) => step !== "wait" && step !== "old link"),
    takeFrom: takeWithLinkOf,
    setUp: quotingBusiness
  })
})
