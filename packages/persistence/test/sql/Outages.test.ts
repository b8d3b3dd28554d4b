import { assert, it } from "@effect/vitest"
import { Effect, Logger } from "effect"
import { SqlError } from "effect/sql"
import { TestClock } from "effect/testing"
import { makeOutages } from "../../src/sql/connections/Outages.ts"
import { toSqlError } from "../../src/sql/statements/PgErrors.ts"

const props = (cause: Error) => ({ cause, message: "Query failed", operation: "execute" })

const failure = (cause: Error, reason: SqlError.SqlErrorReason = new SqlError.UnknownError(props(cause))) =>
  toSqlError(new SqlError.SqlError({ reason }), "execute")

const away = failure(new Error("away"), new SqlError.ConnectionError(props(new Error("away"))))
const wrong = failure(new Error("wrong"))
const readOnly = failure(Object.assign(new Error("read-only"), { code: "25006", severity: "ERROR" }))

const logged = (lines: Array<unknown>) =>
  Logger.layer([Logger.make(({ message }) => void lines.push(message))])

it.effect("an outage is logged when it begins, once a minute while statements fail, and when it ends", () => {
  const lines: Array<unknown> = []
  return Effect.gen(function* () {
    const outages = yield* makeOutages
    outages.failed(away, "SELECT 1")
    assert.deepStrictEqual(lines, [], "the start reports a database that has never answered")
    outages.answered("SELECT")
    for (let second = 0; second < 150; second += 1) {
      outages.failed(away, "SELECT 1")
      outages.failed(wrong, "SELECT 1")
      yield* TestClock.adjust("1 second")
    }
    outages.answered("SELECT")
    outages.answered("SELECT")
    outages.failed(wrong, "SELECT 1")
    yield* Effect.yieldNow
    const line = (seconds: number) => ["the database does not answer", { reason: "away", for_s: seconds }]
    assert.deepStrictEqual(lines, [
      line(0),
      line(60),
      line(120),
      ["the database answers again", { after_s: 150 }]
    ])
  }).pipe(Effect.provide(logged(lines)))
})

it.effect("a database that takes no writes is logged once a minute, also while reads succeed", () => {
  const lines: Array<unknown> = []
  return Effect.gen(function* () {
    const outages = yield* makeOutages
    outages.answered("SELECT")
    outages.failed(readOnly, "SELECT 1")
    assert.deepStrictEqual(lines, [], "the start reports a database that has never taken a write")
    outages.answered("UPDATE")
    for (let second = 0; second < 90; second += 1) {
      outages.failed(readOnly, "SELECT 1")
      outages.answered("SELECT")
      yield* TestClock.adjust("1 second")
    }
    outages.answered("INSERT")
    yield* Effect.yieldNow
    const line = (seconds: number) => [
      "the database takes no writes",
      { reason: "read-only", for_s: seconds }
    ]
    assert.deepStrictEqual(lines, [line(0), line(60), ["the database takes writes again", { after_s: 90 }]])
  }).pipe(Effect.provide(logged(lines)))
})
