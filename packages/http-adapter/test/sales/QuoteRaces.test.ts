import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { Ports } from "../support/TestPorts.ts"
import { type Answer, openServer, record } from "../support/TestServer.ts"
import { seller } from "./QuoteSeller.ts"

const rounds = 6

const won = (answers: ReadonlyArray<Answer>) => answers.filter(({ status }) => status < 300)

layer(Ports, { timeout: 60_000 })("of concurrent answers to a quote", (it) => {
  it.effect("accept and reject: exactly one wins, and an acceptance is one event", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { answer, events, send, sent, step } = yield* seller(server)
      let accepted = 0
      for (let round = 0; round < rounds; round++) {
        const { quote_id, token } = yield* sent()
        const answers = yield* Effect.all(
          [
            answer(token, "accept"),
            answer(token, "reject", {}),
            step(quote_id, "accept"),
            answer(token, "accept"),
            answer(token, "reject", {})
          ],
          { concurrency: "unbounded" }
        )
        assert.lengthOf(won(answers), 1)
        for (const { status } of answers) assert.include([200, 422], status)
        const { status } = record(yield* send("GET", `/quotes/${String(quote_id)}`))
        assert.strictEqual(record(won(answers)[0] ?? answers[0])["status"], status)
        if (status === "accepted") accepted += 1
      }
      assert.lengthOf(yield* events("quote.accepted"), accepted)
    })
  )

  it.effect("accept and another price: exactly one wins", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { answer, events, send, sent, step } = yield* seller(server)
      let accepted = 0
      for (let round = 0; round < rounds; round++) {
        const { quote_id, token } = yield* sent()
        const [answered, priced] = yield* Effect.all(
          [answer(token, "accept"), step(quote_id, "price", { amounts: [200] })],
          { concurrency: "unbounded" }
        )
        assert.lengthOf(won([answered, priced]), 1)
        const { status, total_amount } = record(yield* send("GET", `/quotes/${String(quote_id)}`))
        assert.deepStrictEqual(
          [status, total_amount],
          answered.status === 200 ? ["accepted", 90] : ["draft", 200]
        )
        if (status === "accepted") accepted += 1
      }
      assert.lengthOf(yield* events("quote.accepted"), accepted)
    })
  )

  it.effect("conversions: exactly one wins, and the trips are booked once", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { events, sent, step } = yield* seller(server)
      for (let round = 0; round < rounds; round++) {
        const { quote_id } = yield* sent()
        const answers = yield* Effect.all(
          Array.from({ length: 4 }, () => step(quote_id, "convert")),
          { concurrency: "unbounded" }
        )
        assert.lengthOf(won(answers), 1)
        assert.sameMembers(
          answers.map(({ status }) => status),
          [200, 409, 409, 409]
        )
        assert.lengthOf(yield* events("trip.created"), round + 1)
        assert.lengthOf(yield* events("quote.accepted"), round + 1)
      }
    })
  )

  it.effect("convert and reject: exactly one wins", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { events, sent, step } = yield* seller(server)
      let converted = 0
      for (let round = 0; round < rounds; round++) {
        const { quote_id } = yield* sent()
        const answers = yield* Effect.all([step(quote_id, "convert"), step(quote_id, "reject")], {
          concurrency: "unbounded"
        })
        assert.lengthOf(won(answers), 1)
        if (answers[0].status === 200) converted += 1
      }
      assert.lengthOf(yield* events("trip.created"), converted)
    })
  )
})
