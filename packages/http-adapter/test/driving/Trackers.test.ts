import { assert, layer } from "@effect/vitest"
import { Clock, Effect } from "effect"
import { TestClock } from "effect/testing"
import { Ports } from "../support/TestPorts.ts"
import { type Answer, openServer, record, refusedAs } from "../support/TestServer.ts"
import { driverUnderWay } from "./DriverUnderWay.ts"

const scene = Effect.gen(function* () {
  const server = yield* openServer()
  const { job, where } = yield* driverUnderWay(server)
  yield* TestClock.adjust("10 minutes")
  /** A time some seconds ago, in milliseconds since 1970. */
  const ago = (seconds: number) => Effect.map(Clock.currentTimeMillis, (now) => now - seconds * 1000)
  const path = `/driver/track?token=${job.token}`
  const post = (body: unknown) => server.send("POST", path, { body })
  const get = (parameters: string) => server.send("GET", `${path}&${parameters}`)
  return { server, job, where, ago, path, post, get }
})

/** The wrong fields that a refusal names. */
const issuesOf = (answer: Answer) =>
  (refusedAs(answer, 422, "invalid_request") ?? [])
    .map(({ field, issue }) => `${String(field)} ${String(issue)}`)
    .toSorted()

/** A fix of Traccar Client from version 9 on. */
const traccar = (latitude: number, at: number, changes: object = {}) => ({
  location: {
    event: "motionchange",
    is_moving: true,
    timestamp: new Date(at).toISOString(),
    odometer: 12.3,
    coords: { latitude, longitude: 8.5, accuracy: 4.5, speed: 13.5, heading: 270, altitude: 408 },
    battery: { level: 0.9, is_charging: false },
    activity: { type: "in_vehicle" },
    extras: {},
    ...changes
  },
  device_id: "48241179"
})

const ownTracks = (lat: number, at: number, changes: object = {}) => ({
  _type: "location",
  lat,
  lon: 8.5,
  tst: Math.floor(at / 1000),
  acc: 12,
  vel: 54,
  cog: 90,
  alt: 408,
  batt: 81,
  tid: "jb",
  ...changes
})

layer(Ports)("an app that reports positions in the background", (it) => {
  it.effect("may send them as query parameters, by GET or POST, with the speed in knots", () =>
    Effect.gen(function* () {
      const { ago, get, path, server, where } = yield* scene
      const at = yield* ago(50)
      const rest = "id=123456&lon=8.5&bearing=180&altitude=408&accuracy=6.5&batt=77"
      const answer = yield* get(`${rest}&lat=47.1&speed=10&timestamp=${Math.floor(at / 1000)}`)
      assert.deepStrictEqual([answer.status, answer.text], [200, "[]"])
      assert.deepInclude(yield* where, {
        position: { lat: 47.1, lng: 8.5, accuracy: 6.5, heading: 180, speed: (10 * 1852) / 3600 },
        age_seconds: 50
      })
      assert.strictEqual((yield* get(`${rest}&lat=47.2&timestamp=${at + 10_000}`)).status, 200)
      assert.deepInclude(yield* where, { age_seconds: 40 })
      const iso = encodeURIComponent(new Date(at + 20_000).toISOString())
      const posted = yield* server.send("POST", `${path}&${rest}&lat=47.3&timestamp=${iso}`)
      assert.deepStrictEqual([posted.status, posted.text], [200, "[]"])
      assert.deepInclude(yield* where, { age_seconds: 30 })
      yield* server.send("POST", path, {
        text: `${rest}&lat=47.4`,
        headers: { "content-type": "application/x-www-form-urlencoded" }
      })
      assert.deepInclude(yield* where, { age_seconds: 0 })
      assert.deepInclude((yield* where)["position"], { lat: 47.4, speed: null })
    })
  )

  it.effect("may send the JSON of Traccar Client, one position or several", () =>
    Effect.gen(function* () {
      const { ago, post, where } = yield* scene
      assert.strictEqual((yield* post(traccar(47.1, yield* ago(40)))).status, 200)
      assert.deepInclude(yield* where, {
        position: { lat: 47.1, lng: 8.5, accuracy: 4.5, heading: 270, speed: 13.5 },
        age_seconds: 40
      })
      const unknown = { latitude: 47.3, longitude: 8.5, accuracy: 4, speed: -1, heading: -1 }
      const several = [
        traccar(47.2, yield* ago(30)).location,
        traccar(0, yield* ago(20), { coords: unknown }).location
      ]
      assert.strictEqual((yield* post({ location: several })).status, 200)
      assert.deepInclude(yield* where, {
        position: { lat: 47.3, lng: 8.5, accuracy: 4, heading: null, speed: null },
        age_seconds: 20
      })
    })
  )

  it.effect("may send the JSON of OwnTracks, which gets a list, and whose other messages are ignored", () =>
    Effect.gen(function* () {
      const { ago, path, post, server, where } = yield* scene
      const answer = yield* post(ownTracks(47.1, yield* ago(40)))
      assert.deepStrictEqual([answer.status, answer.text], [200, "[]"])
      assert.include(answer.headers.get("content-type") ?? "", "application/json")
      const known = yield* where
      assert.deepInclude(known, {
        position: { lat: 47.1, lng: 8.5, accuracy: 12, heading: 90, speed: 15 },
        age_seconds: 40
      })
      const other = [
        { _type: "transition", lat: 1, lon: 1, tst: 1, event: "enter" },
        { _type: "waypoint", lat: 1, lon: 1 },
        { _type: "status" },
        { _type: "lwt", tst: 1 },
        { _type: "encrypted", data: "x" }
      ]
      for (const body of other) {
        const ignored = yield* post(body)
        assert.deepStrictEqual([ignored.status, ignored.text], [200, "[]"])
      }
      assert.strictEqual((yield* server.send("POST", path, { text: "" })).status, 200)
      const twice = yield* server.send("POST", path, {
        text: '{"_type":"location","lat":1,"lat":2,"lon":8.5,"tst":1}'
      })
      assert.deepStrictEqual(refusedAs(twice, 422, "invalid_request"), [{ field: "lat", issue: "invalid" }])
      assert.deepStrictEqual(yield* where, known)
    })
  )

  it.effect("changes nothing by a visit of its address alone", () =>
    Effect.gen(function* () {
      const { path, server, where } = yield* scene
      assert.strictEqual((yield* server.send("GET", path)).status, 200)
      assert.deepInclude(yield* where, { position: null })
    })
  )

  it.effect("may have a wrong clock: each position is judged alone", () =>
    Effect.gen(function* () {
      const { ago, post, where } = yield* scene
      yield* post({
        location: [traccar(47.1, yield* ago(-86_400)).location, traccar(1, yield* ago(7200)).location]
      })
      assert.deepInclude(yield* where, { age_seconds: 0 })
      assert.deepInclude((yield* where)["position"], { lat: 47.1 })
    })
  )

  it.effect("is told by the names of its own fields which of them are wrong", () =>
    Effect.gen(function* () {
      const { ago, get, post, where, server, path } = yield* scene
      assert.deepStrictEqual(issuesOf(yield* get("lat=91&speed=x&timestamp=yesterday&bearing=9")), [
        "lat out_of_range",
        "lon required",
        "speed invalid",
        "timestamp invalid"
      ])
      assert.deepStrictEqual(issuesOf(yield* post(ownTracks(91, yield* ago(1), { lon: "x", acc: "far" }))), [
        "acc invalid",
        "lat out_of_range",
        "lon invalid"
      ])
      assert.deepStrictEqual(issuesOf(yield* post({ location: { coords: { latitude: 47 } } })), [
        "longitude required"
      ])
      assert.deepStrictEqual(issuesOf(yield* post(ownTracks(1, 1, { tst: 1e300 }))), ["tst invalid"])
      assert.deepStrictEqual(issuesOf(yield* post({ lat: 1, lng: 2 })), ["location required"])
      for (const text of ["[1]", "7", "{"])
        refusedAs(yield* server.send("POST", path, { text }), 400, "invalid_request")
      assert.deepInclude(yield* where, { position: null })
    })
  )

  it.effect("is refused once its link has ended", () =>
    Effect.gen(function* () {
      const { ago, get, job, post, server } = yield* scene
      const ended = yield* server.send("POST", `/driver/status?token=${job.token}`, {
        body: { status: "completed" }
      })
      assert.strictEqual(record(ended)["status"], "completed")
      refusedAs(yield* post(ownTracks(47.1, yield* ago(1))), 401, "unauthorized")
      refusedAs(yield* get("lat=47&lon=8"), 401, "unauthorized")
      refusedAs(yield* server.send("GET", "/driver/track?token=drv_none&lat=47&lon=8"), 401, "unauthorized")
    })
  )
})
