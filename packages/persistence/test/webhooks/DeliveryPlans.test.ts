import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import { SqlClient } from "effect/sql"
import { acknowledged, alone, claim, emit, prepared } from "./Scenario.ts"

/** Settles a thousand deliveries, then lets PostgreSQL learn what the table is like while nothing is claimed. */
const atRest = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const scenario = yield* prepared
  yield* emit(scenario.business, 1_000)
  yield* scenario.queue.record((yield* claim(1_000, 1_000)).map(acknowledged))
  yield* sql`ANALYZE webhook_deliveries`.unprepared
  return scenario
})

/** Fills the table in one transaction, in the midst of which PostgreSQL takes it for empty. */
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
  yield* sql`ANALYZE webhook_deliveries`.unprepared
  yield* Deferred.succeed(analyzed, undefined)
  yield* Fiber.join(filling)
  return scenario
})

/**
 * How many rows of deliveries were read while this ran: `found` by an index, those that were then thrown away among
 * them, and `scanned` one after the other. As a difference: what a connection has not reported yet is counted too.
 */
const rowsRead = Effect.fnUntraced(function* <A, E, R>(work: Effect.Effect<A, E, R>) {
  const sql = yield* SqlClient.SqlClient
  const counted = Effect.map(
    sql<{ found: number; scanned: number }>`
      SELECT idx_tup_fetch::int AS found, seq_tup_read::int AS scanned
      FROM pg_stat_xact_user_tables WHERE relname = 'webhook_deliveries'`,
    ([row]) => row ?? { found: 0, scanned: 0 }
  )
  return yield* sql.withTransaction(
    Effect.gen(function* () {
      const before = yield* counted
      const answer = yield* work
      const after = yield* counted
      return { answer, found: after.found - before.found, scanned: after.scanned - before.scanned }
    })
  )
})

const busy = 200

describe("where the table was at rest when it was analyzed", () => {
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

  it.live("a claim that is given back is found by its key", () =>
    Effect.gen(function* () {
      const { business, queue } = yield* atRest
      yield* emit(business, busy)
      const claims = yield* claim(busy, busy)
      const { found } = yield* rowsRead(queue.release(claims))
      assert.isAtMost(found, 2 * busy)
    }).pipe(alone)
  )
})

it.live("where it was analyzed while it was filled, nothing reads it through", () =>
  Effect.gen(function* () {
    const { queue } = yield* filledUnseen
    const claiming = yield* rowsRead(claim(busy, busy))
    const claims = claiming.answer
    assert.deepStrictEqual([claims.length, claiming.scanned], [busy, 0])
    const recording = yield* rowsRead(queue.record(claims.slice(50).map(acknowledged)))
    assert.deepStrictEqual([recording.answer, recording.scanned], [busy - 50, 0])
    assert.strictEqual((yield* rowsRead(queue.release(claims.slice(0, 50)))).scanned, 0)
  }).pipe(alone)
)
