import { Cryptography, DeliveryRepository, EventHistory, EventLog, makeSampleEvent } from "@livery/domain"
import type { BusinessId } from "@livery/domain"
import { assert, it } from "@effect/vitest"
import { Deferred, Effect, Fiber, Option } from "effect"
import { SqlClient } from "effect/sql"
import { addCitusCatalogue } from "../../../../test/support/CitusCatalogue.ts"
import { alone, emit, newBusiness, newEndpoint } from "./Scenario.ts"

const after = Effect.fnUntraced(function* (business: BusinessId, cursor?: string, limit = 100) {
  const history = yield* EventHistory
  return yield* Effect.orDie(Effect.fromOption(yield* history.after(business, cursor, limit)))
})

/** Reads from a cursor to the end, in small pages. */
const readOn = Effect.fnUntraced(function* (business: BusinessId, from?: string, limit = 3) {
  const bodies: Array<string> = []
  let cursor = from
  for (;;) {
    const page = yield* after(business, cursor, limit)
    bodies.push(...page.bodies)
    cursor = page.cursor
    if (!page.hasMore) return { bodies, cursor }
  }
})

let recorded = 0

/** Records events one after the other. Returns their bodies. */
const happen = (businessId: BusinessId, times = 1) =>
  Effect.forEach(
    Array.from({ length: times }, () => `evt_${(recorded++).toString(16)}`),
    Effect.fnUntraced(function* (eventId) {
      const events = yield* EventLog
      const body = JSON.stringify({ id: eventId })
      yield* events.record({ eventId, businessId, type: "trip.created", body })
      return body
    })
  )

it.live("a reader gets every event of the business once, in order, with any size of its pages", () =>
  Effect.gen(function* () {
    const business = yield* newBusiness
    yield* emit(yield* newBusiness, 3)
    const all = yield* happen(business, 10)
    for (const limit of [1, 3, 10, 100])
      assert.deepStrictEqual((yield* readOn(business, undefined, limit)).bodies, all)
  }).pipe(alone)
)

it.live("a body of any length is returned as it was recorded, and is stored compressed beside the row", () =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const business = yield* newBusiness
    const events = yield* EventLog
    const bodies = [20, 1_800, 2_047, 2_048, 2_049, 9_000].map((length, n) =>
      JSON.stringify({ id: `evt_length_${n}`, name: "Zürich ".repeat(length).slice(0, length - 33) })
    )
    for (const [n, body] of bodies.entries())
      yield* events.record({ eventId: `evt_length_${n}`, businessId: business, type: "trip.created", body })
    assert.deepStrictEqual((yield* readOn(business)).bodies, bodies)
    const compressed = yield* sql`
      SELECT FROM events WHERE business_id = ${business} AND pg_column_compression(body) IS NOT NULL`
    assert.lengthOf(compressed, bodies.length)
  }).pipe(alone)
)

it.live("the cursor changes with new events only", () =>
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

it.live("a long transaction of the business delays no other event, and its own event is not skipped", () =>
  Effect.gen(function* () {
    const business = yield* newBusiness
    const sql = yield* SqlClient.SqlClient
    const before = yield* happen(business)
    const [written, go] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
    const slow = yield* Effect.forkChild(
      Effect.gen(function* () {
        const bodies = yield* happen(business)
        yield* Deferred.succeed(written, undefined)
        yield* Deferred.await(go)
        return bodies
      }).pipe(sql.withTransaction)
    )
    yield* Deferred.await(written)
    const quick = yield* happen(business, 3)
    const meanwhile = yield* readOn(business)
    assert.deepStrictEqual(meanwhile.bodies, [...before, ...quick])
    yield* Deferred.succeed(go, undefined)
    const late = yield* Fiber.join(slow)
    const rest = yield* readOn(business, meanwhile.cursor)
    assert.deepStrictEqual(rest.bodies, late)
  }).pipe(alone)
)

it.live("samples are not in the feed", () =>
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

it.live("a text that is no cursor is refused, also a cursor that was altered", () =>
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
      ...[
        ".",
        "1.",
        ".1",
        "1.1",
        "-1",
        "01",
        "1e3",
        "9007199254740993",
        "99999999999999999999",
        "' OR 1=1 --"
      ].map((of) => Buffer.from(of).toString("base64url")),
      text
    ])
      assert.isTrue(Option.isNone(yield* history.after(business, wrong, 10)), wrong)
  }).pipe(alone)
)

it.live("a reader of a distributed database leaves the positions to the workers of the nodes", () =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const business = yield* newBusiness
    yield* addCitusCatalogue
    yield* happen(business)
    const { bodies } = yield* after(business)
    assert.deepStrictEqual(bodies, [])
    assert.deepStrictEqual(yield* sql`SELECT position FROM events`, [{ position: null }])
  }).pipe(alone)
)
