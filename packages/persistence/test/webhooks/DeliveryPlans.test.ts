import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import { SqlClient } from "effect/sql"
import { stepsOf } from "../trips/Plans.ts"
import { rowsRead } from "./RowsRead.ts"
import { acknowledged, alone, claim, emit, prepared } from "./Scenario.ts"

/** Ends a thousand deliveries, then analyzes the table while no delivery is claimed. */
const atRest = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const scenario = yield* prepared
  yield* emit(scenario.business, 1_000)
  yield* scenario.queue.record((yield* claim(1_000, 1_000)).map(acknowledged))
  yield* sql`ANALYZE webhook_deliveries`.unprepared
  return scenario
})

/** Fills the tables in one transaction. PostgreSQL analyzes them within it, as empty tables. */
const filledUnseen = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const scenario = yield* prepared
  const [filled, analyzed] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
  const filling = yield* emit(scenario.business, 3_000).pipe(
    Effect.andThen(Deferred.succeed(filled, undefined)),
    Effect.andThen(Deferred.await(analyzed)),
    sql.withTransaction,
    Effect.forkChild
  )
  yield* Deferred.await(filled)
  yield* sql`ANALYZE webhook_deliveries, events`.unprepared
  yield* Deferred.succeed(analyzed, undefined)
  yield* Fiber.join(filling)
  return scenario
})

const busy = 200

describe("with statistics of an idle table", () => {
  it.live("a result is found by its key", () =>
    Effect.gen(function* () {
      const { business, queue } = yield* atRest
      yield* emit(business, busy)
      const claims = yield* claim(busy, busy)
      assert.strictEqual(claims.length, busy)
      const { found } = yield* rowsRead(queue.record(claims.map(acknowledged)))
      assert.isAtMost(found, 2 * busy)
    }).pipe(alone)
  )

  it.live("a released claim is found by its key", () =>
    Effect.gen(function* () {
      const { business, queue } = yield* atRest
      yield* emit(business, busy)
      const claims = yield* claim(busy, busy)
      const { found } = yield* rowsRead(queue.release(claims))
      assert.isAtMost(found, 2 * busy)
    }).pipe(alone)
  )
})

it.live("with statistics from a time when the table was filled, no statement scans it", () =>
  Effect.gen(function* () {
    const { queue } = yield* filledUnseen
    const claiming = yield* rowsRead(claim(busy, busy))
    const claims = claiming.answer
    assert.deepStrictEqual([claims.length, claiming.scanned], [busy, 0])
    const recording = yield* rowsRead(queue.record(claims.slice(50).map(acknowledged)))
    assert.deepStrictEqual([recording.answer.length, recording.scanned], [busy - 50, 0])
    assert.strictEqual((yield* rowsRead(queue.release(claims.slice(0, 50)))).scanned, 0)
  }).pipe(alone)
)

it.live("with statistics from a time when events were written, each is found by its key", () =>
  Effect.gen(function* () {
    yield* filledUnseen
    const { answer, found, scanned } = yield* rowsRead(claim(busy, busy), "events")
    assert.strictEqual(answer.length, busy)
    assert.isAtMost(found + scanned, 2 * busy)
  }).pipe(alone)
)

it.live("a search for interrupted deliveries does not read those that failed long ago", () =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const { business } = yield* prepared
    const inFlight = 1_000
    yield* emit(business, inFlight)
    yield* claim(inFlight, inFlight)
    // The state of the table under load, before a delivery has failed.
    yield* sql`ANALYZE webhook_deliveries`.unprepared
    yield* Effect.gen(function* () {
      for (let look = 0; look < 10; look++) yield* claim(busy, inFlight)
      yield* sql`
        INSERT INTO webhook_deliveries (business_id, endpoint_id, event_id, event_type, status, next_attempt_at)
        SELECT business_id, endpoint_id, event_id, event_type, 'failed', NULL
        FROM webhook_deliveries, generate_series(1, 5)`.unprepared
      const { found, scanned } = yield* rowsRead(claim(busy, inFlight))
      assert.isAtMost(found, 2 * inFlight)
      assert.strictEqual(scanned, 0)
    }).pipe(sql.withTransaction)
  }).pipe(alone)
)

it.live("claiming and recording are planned once for each connection, not each time", () =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const { business, queue } = yield* prepared
    yield* emit(business, 10)
    yield* sql.withTransaction(
      Effect.gen(function* () {
        for (let round = 0; round < 3; round++) yield* queue.record((yield* claim(2, busy)).map(acknowledged))
        const planned = yield* sql<{ statement: string }>`
          SELECT statement FROM pg_prepared_statements`.unprepared
        for (const part of ["failed AS (", "verdicts AS ("])
          assert.isTrue(
            planned.some(({ statement }) => statement.includes(part)),
            part
          )
      })
    )
  }).pipe(alone)
)

it.live("the last claim is read after the lock is taken, with generic and custom plans", () =>
  Effect.gen(function* () {
    const { business } = yield* prepared
    yield* emit(business, 3)
    for (const planned of ["force_custom_plan", "force_generic_plan"] as const) {
      const steps = yield* stepsOf(claim(1), planned)
      const lock = steps.find((step) => step["Subplan Name"] === "CTE claim_lock")
      assert.strictEqual(lock?.Plans?.[0]?.["CTE Name"], "lock_row", JSON.stringify(lock))
    }
  }).pipe(alone)
)
