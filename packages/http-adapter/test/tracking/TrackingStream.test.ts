import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { assignment, driverOf } from "../support/Drivers.ts"
import { until } from "../support/PassingTime.ts"
import { Ports } from "../support/TestPorts.ts"
import { business } from "../support/People.ts"
import { type OpenAnswer, openServer, record, refusedAs, type TestServer } from "../support/TestServer.ts"

/** The events of a stream so far, as `name latitude` or `name status`. */
const eventsOf = ({ soFar }: OpenAnswer) =>
  [...soFar().matchAll(/^event: (\w+)\ndata: (.*)\n\n/gmu)].map(([, name = "", data = "{}"]) => {
    const reported: { readonly status: string; readonly position: { readonly lat: number } | null } =
      JSON.parse(data)
    return `${name} ${reported.position?.lat ?? reported.status}`
  })

const scene = Effect.fnUntraced(function* (server: TestServer) {
  const acme = yield* business(server)
  const driver = yield* driverOf(server, acme.businessId)
  const job = yield* assignment(acme.businessId, { driverId: driver.driverId, status: "en_route" })
  const path = `/trips/${job.tripId}`
  const tell = (lat: number) =>
    server.send("POST", "/me/driver/location", { credential: driver.token, body: { lat, lng: 8.5 } })
  const complete = server.send("PATCH", `/me/driver${path}`, {
    credential: driver.token,
    body: { status: "completed" }
  })
  const link = Effect.map(server.send("POST", `${path}/tracking-link`, { credential: acme.key }), (answer) =>
    String(record(answer)["token"])
  )
  const open = (streamPath: string, credential?: string) =>
    Effect.tap(server.open(streamPath, { credential }), (stream) => until(() => eventsOf(stream).length > 0))
  return { acme, driver, job, path, tell, complete, link, open }
})

layer(Ports)("the stream of a trip", (it) => {
  it.effect("sends each new position and status, and ends with the trip", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { acme, complete, open, path, tell } = yield* scene(server)
      const stream = yield* open(`${path}/location/stream`, acme.key)
      for (const lat of [1, 2]) {
        yield* tell(lat)
        yield* until(() => eventsOf(stream).includes(`position ${lat}`))
      }
      assert.isFalse(stream.isOver())
      yield* complete
      yield* until(stream.isOver)
      assert.strictEqual(stream.status, 200)
      assert.strictEqual(stream.headers.get("content-type"), "text/event-stream")
      assert.strictEqual(stream.headers.get("cache-control"), "no-store")
      assert.isTrue(stream.soFar().startsWith("retry: 3000\n\n"))
      assert.deepStrictEqual(eventsOf(stream), [
        "status in_progress",
        "position 1",
        "position 2",
        "status completed"
      ])
    })
  )

  it.effect("by a link has nothing of the passenger, and ends with the link", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { acme, link, open, path, tell } = yield* scene(server)
      yield* tell(1)
      const stream = yield* open(`/public/tracking/${yield* link}/stream`)
      yield* server.send("DELETE", `${path}/tracking-link`, { credential: acme.key })
      yield* until(stream.isOver)
      assert.deepStrictEqual(eventsOf(stream), ["position 1"])
      assert.notMatch(stream.soFar(), /Ada|@|\+41|TR-|trip_id|driver_id/u)
    })
  )

  it.effect("ends once the key that reads it is deleted, and not before", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { acme, open, path, tell } = yield* scene(server)
      const stream = yield* open(`${path}/location/stream`, acme.key)
      for (let second = 0; second < 5; second++) yield* TestClock.adjust("1 second")
      yield* tell(1)
      yield* until(() => eventsOf(stream).includes("position 1"))
      yield* server.send("DELETE", "/me/api-keys", { credential: acme.token, body: { api_key: acme.key } })
      yield* until(stream.isOver)
    })
  )

  it.effect("sends a comment every few seconds", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { acme, open, path } = yield* scene(server)
      const stream = yield* open(`${path}/location/stream`, acme.key)
      yield* until(() => [...stream.soFar().matchAll(/^:\n\n/gmu)].length >= 4)
      yield* stream.leave
    })
  )

  it.effect("releases its resources when its reader disconnects", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { acme, link, open, path } = yield* scene(server)
      const followers = Effect.map(server.sendTo("GET", "/metrics"), ({ text }) =>
        Number(/^livery_trip_followers (\d+)$/mu.exec(text)?.[1])
      )
      const streams = [
        yield* open(`${path}/location/stream`, acme.key),
        yield* open(`${path}/location/stream`, acme.key),
        yield* open(`/public/tracking/${yield* link}/stream`)
      ]
      assert.strictEqual(yield* followers, 3)
      for (const stream of streams) yield* stream.leave
      yield* until(() => Effect.map(followers, (count) => count === 0))
    })
  )

  it.effect(
    "is refused before it starts: for an absent trip, another business's trip, and a link that has ended",
    () =>
      Effect.gen(function* () {
        const server = yield* openServer()
        const { acme, path } = yield* scene(server)
        const stranger = yield* business(server)
        refusedAs(
          yield* server.send("GET", `${path}/location/stream`, { credential: stranger.key }),
          404,
          "not_found"
        )
        refusedAs(
          yield* server.send("GET", "/trips/x/location/stream", { credential: acme.key }),
          404,
          "not_found"
        )
        refusedAs(yield* server.send("GET", "/public/tracking/lvt_x/stream"), 404, "not_found")
        refusedAs(yield* server.send("GET", `${path}/location/stream`), 401, "unauthorized")
      })
  )

  it.effect("serves 20 readers of one link; a further one is refused with a Retry-After", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { link, open } = yield* scene(server)
      const path = `/public/tracking/${yield* link}/stream`
      const streams = yield* Effect.forEach(Array.from({ length: 20 }), () => open(path))
      const refusal = yield* server.send("GET", path)
      refusedAs(refusal, 429, "rate_limited")
      assert.strictEqual(refusal.body.error?.message, "Too many requests; try again in 30 s")
      assert.strictEqual(refusal.headers.get("retry-after"), "30")
      for (const stream of streams) yield* stream.leave
    })
  )
})
