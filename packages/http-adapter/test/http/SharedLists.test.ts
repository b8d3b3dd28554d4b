import {
  ActingBusiness,
  type CallerRole,
  CurrentActor,
  CurrentRole,
  Tracing,
  TripListRepository
} from "@livery/domain"
import { assert, it, layer } from "@effect/vitest"
import { Arbitrary, Context, Effect, Exit, Fiber, Latch, Scope } from "effect"
import { HttpServerRequest } from "effect/http"
import type { JsonContent } from "../../src/http/pipeline/HandlerReply.ts"
import { listKeyOf, makeSharedLists } from "../../src/http/pipeline/SharedLists.ts"
import { CurrentRequest } from "../../src/http/request/CurrentRequest.ts"
import { collectSpans } from "../../../../test/support/CollectedSpans.ts"
import { CapturedLog } from "../support/CapturedLog.ts"
import { eventually } from "../../../../test/support/Eventually.ts"
import { business, memberOf } from "../support/People.ts"
import { Ports } from "../support/TestPorts.ts"
import { type Answer, openServer, record, records, refusedAs } from "../support/TestServer.ts"

const trip = {
  trip_date: "2026-12-24T18:00:00Z",
  pickup_address: "Here",
  dropoff_address: "There",
  customer_name: "Ada"
}

/** A server whose lists of trips wait until `gate` opens, and the number of lists that it has read. */
const gatedServer = Effect.gen(function* () {
  const lists = yield* TripListRepository
  const gate = Latch.makeUnsafe(false)
  const read = { lists: 0 }
  const gated = <A, E>(list: Effect.Effect<A, E>) =>
    Effect.suspend(() => {
      read.lists += 1
      return Effect.andThen(gate.await, list)
    })
  const server = yield* openServer().pipe(
    Effect.provideService(TripListRepository, {
      page: (...args) => gated(lists.page(...args)),
      after: (...args) => gated(lists.after(...args))
    })
  )
  return { gate, read, server }
})

/** A new business with one trip, whose credentials the server has in its cache. */
const businessWithTrip = Effect.fnUntraced(function* (server: Effect.Success<typeof gatedServer>["server"]) {
  const one = yield* business(server)
  record(yield* server.send("POST", "/trips", { credential: one.key, body: trip }))
  record(yield* server.send("GET", "/ping", { credential: one.token }))
  return one
})

const requestIds = (answers: ReadonlyArray<Answer>) =>
  new Set(answers.map(({ body }) => body.meta?.request_id ?? ""))

const remaining = ({ headers }: Answer) => Number(headers.get("x-ratelimit-remaining"))

layer(Ports)("requests of one list that begin together", (it) => {
  it.effect(
    "share one read while another is under way; each has its own id, place in the rate limit and log line",
    () =>
      Effect.gen(function* () {
        const { gate, read, server } = yield* gatedServer
        const { lines } = yield* CapturedLog
        const { key } = yield* businessWithTrip(server)
        const get = server.send("GET", "/trips", { credential: key })
        const requests = yield* Effect.forkChild(
          Effect.all(
            Array.from({ length: 8 }, () => get),
            { concurrency: 8 }
          )
        )
        yield* eventually(() => read.lists === 2)
        yield* gate.open
        const answers = yield* Fiber.join(requests)
        assert.strictEqual(read.lists, 2)
        for (const answer of answers) assert.strictEqual(records(answer)[0]?.["customer_name"], "Ada")
        assert.deepStrictEqual(
          answers.map(remaining).toSorted((one, other) => one - other),
          Array.from({ length: 8 }, (_, at) => Math.min(...answers.map(remaining)) + at)
        )
        const ids = requestIds(answers)
        assert.strictEqual(ids.size, 8)
        for (const id of ids) assert.strictEqual(lines.filter((line) => line.includes(id)).length, 1)
      })
  )

  it.effect("share it only with callers of the same business with the same rights", () =>
    Effect.gen(function* () {
      const { gate, read, server } = yield* gatedServer
      const { businessId, key, token } = yield* businessWithTrip(server)
      const other = yield* businessWithTrip(server)
      const viewers = [
        yield* memberOf(server, businessId, "viewer"),
        yield* memberOf(server, businessId, "viewer")
      ]
      for (const credential of [token, other.key, ...viewers])
        record(yield* server.send("GET", "/business", { credential }))
      const get = (credential: string, page = 1) => server.send("GET", `/trips?page=${page}`, { credential })
      const requests = yield* Effect.forkChild(
        Effect.all(
          {
            alone: get(key),
            ofKey: get(key),
            ofOwner: get(token),
            ofViewer: get(viewers[0] ?? ""),
            ofSecondViewer: get(viewers[1] ?? ""),
            ofThirdViewer: get(viewers[0] ?? ""),
            ofOther: get(other.key),
            ofSecondPage: get(key, 2)
          },
          { concurrency: "unbounded" }
        )
      )
      // One each: alone, the key's and the owner's, the first viewer's, the other viewers', the other business's, page 2.
      yield* eventually(() => read.lists === 6)
      yield* gate.open
      const { ofKey, ofOther, ofOwner, ofSecondPage, ofSecondViewer, ofThirdViewer, ofViewer } =
        yield* Fiber.join(requests)
      assert.strictEqual(read.lists, 6)
      const [listed = {}] = records(ofKey)
      assert.isNotEmpty(listed["allowed_transitions"])
      assert.deepStrictEqual(records(ofOwner), [listed])
      for (const answer of [ofViewer, ofSecondViewer, ofThirdViewer])
        assert.deepStrictEqual(records(answer), [{ ...listed, allowed_transitions: [] }])
      assert.notStrictEqual(records(ofOther)[0]?.["trip_id"], listed["trip_id"])
      assert.deepStrictEqual(records(ofSecondPage), [])
    })
  )

  it.effect("give its handler nothing of a caller but the business and the role", () =>
    Effect.gen(function* () {
      const lists = yield* TripListRepository
      const seen: Array<unknown> = []
      const observed: typeof lists.page = (...args) =>
        Effect.gen(function* () {
          const request = yield* Effect.serviceOption(HttpServerRequest.HttpServerRequest)
          const { id, userId } = yield* CurrentRequest
          seen.push([request._tag, userId, id, yield* CurrentActor, yield* CurrentRole])
          return yield* lists.page(...args)
        })
      const server = yield* openServer().pipe(
        Effect.provideService(TripListRepository, { ...lists, page: observed })
      )
      const { businessId, key } = yield* businessWithTrip(server)
      const viewer = yield* memberOf(server, businessId, "viewer")
      for (const credential of [key, viewer]) records(yield* server.send("GET", "/trips", { credential }))
      const none = ["None", undefined, "req_000000000000000000000000", "system"]
      assert.deepStrictEqual(seen, [
        [...none, "api_key"],
        [...none, "viewer"]
      ])
    })
  )

  it.effect("share a refusal, each in its own envelope", () =>
    Effect.gen(function* () {
      const { gate, read, server } = yield* gatedServer
      const { key } = yield* businessWithTrip(server)
      const get = server.send("GET", "/trips?cursor=none", { credential: key })
      const requests = yield* Effect.forkChild(Effect.all([get, get, get], { concurrency: 3 }))
      yield* eventually(() => read.lists === 2)
      yield* gate.open
      const answers = yield* Fiber.join(requests)
      for (const answer of answers)
        assert.deepStrictEqual(refusedAs(answer, 422, "invalid_request"), [
          { field: "cursor", issue: "invalid" }
        ])
      assert.strictEqual(requestIds(answers).size, 3)
    })
  )

  it.effect("are answered although the client that was first has left", () =>
    Effect.gen(function* () {
      const { gate, read, server } = yield* gatedServer
      const { key } = yield* businessWithTrip(server)
      const leaving = yield* Scope.make()
      const signal = yield* Scope.provide(Effect.abortSignal, leaving)
      const get = (signal?: AbortSignal) =>
        server.send("GET", "/trips", { credential: key, ...(signal === undefined ? {} : { signal }) })
      const all = [get(signal), get(signal), get(), get()]
      const requests = yield* Effect.forkChild(Effect.all(all, { concurrency: 4 }))
      yield* eventually(() => read.lists === 2)
      yield* Scope.close(leaving, Exit.void)
      yield* gate.open
      const answers = yield* Fiber.join(requests)
      assert.deepStrictEqual(
        answers.slice(2).map((answer) => records(answer).length),
        [1, 1]
      )
    })
  )

  it.effect("do not share it if they are traced, so that each has its spans", () =>
    Effect.gen(function* () {
      const { spans, tracing } = collectSpans()
      const { gate, read, server } = yield* Effect.provideService(gatedServer, Tracing, tracing)
      const { key } = yield* businessWithTrip(server)
      const get = server.send("GET", "/trips", { credential: key })
      const requests = yield* Effect.forkChild(Effect.all([get, get, get], { concurrency: 3 }))
      yield* eventually(() => read.lists === 3)
      yield* gate.open
      yield* Fiber.join(requests)
      const listings = spans.filter(({ name }) => name === "TripList.page")
      assert.strictEqual(new Set(listings.map(({ traceId }) => traceId)).size, 3)
    })
  )

  it.effect("contain every change that was acknowledged before they began", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { key } = yield* businessWithTrip(server)
      const list = server.send("GET", "/trips", { credential: key })
      const writing = { isOver: false }
      const poll = Effect.repeat(list, { until: () => writing.isOver })
      const write = Effect.fnUntraced(function* (day: number) {
        const trip_date = new Date(Date.UTC(2030, 0, day)).toISOString()
        const booked = record(
          yield* server.send("POST", "/trips", { credential: key, body: { ...trip, trip_date } })
        )
        const listed = records(yield* list)
        assert.strictEqual(listed[0]?.["trip_id"], booked["trip_id"])
      })
      const writes = Effect.forEach(
        Array.from({ length: 100 }, (_, day) => day),
        write,
        { discard: true }
      ).pipe(
        Effect.ensuring(
          Effect.sync(() => {
            writing.isOver = true
          })
        )
      )
      yield* Effect.all([writes, ...Array.from({ length: 8 }, () => poll)], { concurrency: "unbounded" })
    })
  )
})

it.effect("the key of a list has its target, the role and every field of the business", () =>
  Effect.gen(function* () {
    const [acting] = yield* Arbitrary.sampleEffect(Arbitrary.schema(ActingBusiness), { count: 1, seed: 7 })
    assert.isDefined(acting)
    const keyOf = (change: object = {}, target = "/trips", role: CallerRole = "owner") =>
      listKeyOf({ acting: { ...acting, ...change }, role }, target)
    const others = [
      keyOf({}, "/trips?page=2"),
      keyOf({}, "/trips", "viewer"),
      ...Object.keys(acting).map((name) => keyOf({ [name]: "other" }))
    ]
    assert.strictEqual(new Set([keyOf(), ...others]).size, 1 + others.length)
    assert.strictEqual(keyOf(), keyOf())
  })
)

it.live("a shared read has a scope of its own, which ends with it", () =>
  Effect.gen(function* () {
    const content: JsonContent = { value: 1, data: "1", meta: "", etag: undefined }
    const gate = Latch.makeUnsafe(false)
    const events: Array<string> = []
    const read = Effect.acquireRelease(
      Effect.sync(() => events.push("begins")),
      () => Effect.sync(() => events.push("ends"))
    ).pipe(Effect.as(content))
    const inScopeOfRun = Effect.updateContext(read, (server: Context.Context<never>) =>
      Context.add(server, Scope.Scope, Context.getUnsafe(server, Scope.Scope))
    )
    const lists = makeSharedLists(Context.make(Scope.Scope, yield* Effect.scope))
    const alone = yield* Effect.forkChild(lists("key", Effect.as(gate.await, content)), {
      startImmediately: true
    })
    yield* Effect.all([lists("key", inScopeOfRun), lists("key", inScopeOfRun)], { concurrency: 2 })
    assert.deepStrictEqual(events, ["begins", "ends"])
    yield* gate.open
    yield* Fiber.join(alone)
  })
)
