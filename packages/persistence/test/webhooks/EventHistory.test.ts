import { Cryptography, DeliveryRepository, EventHistory, makeSampleEvent } from "@livery/domain"
import type { BusinessId } from "@livery/domain"
import { assert, it } from "@effect/vitest"
import { Deferred, Effect, Fiber, Option } from "effect"
import { SqlClient } from "effect/sql"
import { alone, emit, newBusiness, newEndpoint } from "./Scenario.ts"

const after = Effect.fnUntraced(function* (business: BusinessId, cursor?: string, limit = 100) {
  const history = yield* EventHistory
  return yield* Effect.orDie(Effect.fromOption(yield* history.after(business, cursor, limit)))
})

/** Reads from a cursor to the end, a few at a time. */
const readOn = Effect.fnUntraced(function* (business: BusinessId, from?: string, limit = 3) {
  const bodies: Array<string> = []
  let cursor = from
  for (;;) {
    const stretch = yield* after(business, cursor, limit)
    bodies.push(...stretch.bodies)
    cursor = stretch.cursor
    if (!stretch.hasMore) return { bodies, cursor }
  }
})

const stored = Effect.fnUntraced(function* (business: BusinessId) {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<{ body: string }>`SELECT body FROM events
    WHERE business_id = ${business} AND NOT sample ORDER BY events.written_by, position`
  return rows.map(({ body }) => body)
})

it.live("tells every event of the business once, in order, whatever the stretch", () =>
  Effect.gen(function* () {
    const business = yield* newBusiness
    yield* emit(yield* newBusiness, 3)
    yield* emit(business, 10)
    const all = yield* stored(business)
    assert.lengthOf(all, 10)
    for (const limit of [1, 3, 10, 100])
      assert.deepStrictEqual((yield* readOn(business, undefined, limit)).bodies, all)
  }).pipe(alone)
)

it.live("the cursor stands still where there is nothing, and goes on when there is", () =>
  Effect.gen(function* () {
    const business = yield* newBusiness
    const empty = yield* after(business)
    assert.deepStrictEqual([empty.bodies, empty.hasMore], [[], false])
    yield* emit(business, 2)
    const first = yield* after(business, empty.cursor)
    assert.lengthOf(first.bodies, 2)
    assert.strictEqual((yield* after(business, first.cursor)).cursor, first.cursor)
    yield* emit(business)
    assert.lengthOf((yield* after(business, first.cursor)).bodies, 1)
    assert.deepStrictEqual((yield* after(business, empty.cursor)).bodies.slice(0, 2), first.bodies)
  }).pipe(alone)
)

it.live("what a long transaction commits late is not skipped by who read on meanwhile", () =>
  Effect.gen(function* () {
    const business = yield* newBusiness
    const sql = yield* SqlClient.SqlClient
    yield* emit(business)
    const [written, go] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
    const slow = yield* Effect.forkChild(
      Effect.gen(function* () {
        yield* emit(business)
        yield* Deferred.succeed(written, undefined)
        yield* Deferred.await(go)
      }).pipe(sql.withTransaction)
    )
    yield* Deferred.await(written)
    yield* emit(business, 3)
    const meanwhile = yield* readOn(business)
    assert.lengthOf(meanwhile.bodies, 1)
    yield* Deferred.succeed(go, undefined)
    yield* Fiber.join(slow)
    const rest = yield* readOn(business, meanwhile.cursor)
    assert.deepStrictEqual([...meanwhile.bodies, ...rest.bodies], yield* stored(business))
    assert.lengthOf(rest.bodies, 4)
  }).pipe(alone)
)

it.live("a reader beside many writers misses none and sees none twice", () =>
  Effect.gen(function* () {
    const business = yield* newBusiness
    const sql = yield* SqlClient.SqlClient
    const writer = Effect.forEach(
      Array.from({ length: 12 }, (_, index) => index),
      (index) =>
        Effect.andThen(emit(business), sql`SELECT pg_sleep(${(index % 4) * 0.004})`).pipe(sql.withTransaction)
    )
    const writing = yield* Effect.forkChild(
      Effect.all([writer, writer, writer, writer], { concurrency: "unbounded" })
    )
    const seen: Array<string> = []
    let cursor: string | undefined
    for (let round = 0; seen.length < 48 && round < 2_000; round++) {
      const stretch = yield* readOn(business, cursor)
      seen.push(...stretch.bodies)
      cursor = stretch.cursor
      yield* Effect.yieldNow
    }
    yield* Fiber.join(writing)
    assert.deepStrictEqual(seen, yield* stored(business))
    assert.strictEqual(new Set(seen).size, 48)
  }).pipe(alone)
)

it.live("samples are no events", () =>
  Effect.gen(function* () {
    const business = yield* newBusiness
    const { endpoint_id } = yield* newEndpoint(business)
    const deliveries = yield* DeliveryRepository
    const event = yield* makeSampleEvent(business, "trip.updated", {}).pipe(
      Effect.provide(Cryptography.layerWebCrypto)
    )
    assert.isTrue(Option.isSome(yield* deliveries.sendSample(event, endpoint_id)))
    assert.isEmpty((yield* after(business)).bodies)
  }).pipe(alone)
)

it.live("what is no cursor is refused, also one that was tampered with", () =>
  Effect.gen(function* () {
    const business = yield* newBusiness
    yield* emit(business)
    const history = yield* EventHistory
    const { cursor } = yield* after(business)
    const text = Buffer.from(cursor, "base64url").toString()
    for (const wrong of [
      "",
      "x",
      "0",
      `${cursor}=`,
      ` ${cursor}`,
      `${cursor}!`,
      ...["1.", ".1", "1.1.1", "-1.1", "1.9223372036854775808", "99999999999999999999.1", "' OR 1=1 --"].map(
        (of) => Buffer.from(of).toString("base64url")
      ),
      text
    ])
      assert.isTrue(Option.isNone(yield* history.after(business, wrong, 10)), wrong)
  }).pipe(alone)
)
