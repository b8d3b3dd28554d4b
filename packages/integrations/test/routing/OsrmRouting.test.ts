import { greatCircleRoute, Routing, defaultRoutingSettings } from "@livery/domain"
import { assert, describe, it } from "@effect/vitest"
import { OsrmRouting } from "@livery/integrations"
import { Effect, Fiber, Layer, Logger } from "effect"
import { TestClock } from "effect/testing"
import { finding, hangingUp, type Manner, refusing, routingServer, saying, silent } from "./RoutingServer.ts"

const zurich = { lat: 47.3779, lng: 8.5403 }
const olten = { lat: 47.3519, lng: 7.9077 }
const bern = { lat: 46.949, lng: 7.4391 }
const way = [zurich, bern]
const estimate = greatCircleRoute(way, defaultRoutingSettings)

type Options = Partial<Parameters<typeof OsrmRouting.layer>[0]>

/** The port over a server with that behaviour. */
const over = Effect.fnUntraced(function* (manner: Manner, options: Options = {}) {
  const server = yield* routingServer(manner)
  const context = yield* Layer.build(
    Layer.merge(OsrmRouting.layer({ url: server.url, ...options }), Logger.layer([]))
  )
  const route = (points = way) =>
    Effect.provide(
      Routing.use((routing) => routing.route(points, defaultRoutingSettings)),
      context
    )
  return { ...server, route }
})

describe("a way on roads", () => {
  it.effect(
    "is requested through all points, longitude first, and has whole metres and minutes rounded up",
    () =>
      Effect.gen(function* () {
        const { asked, route } = yield* over(finding(124_987.6, 4921.3))
        assert.deepStrictEqual(yield* route([zurich, olten, bern]), {
          distance_m: 124_988,
          duration_minutes: 83,
          source: "road"
        })
        assert.deepStrictEqual(asked, [
          "/route/v1/driving/8.540300,47.377900;7.907700,47.351900;7.439100,46.949000?overview=false&steps=false"
        ])
      })
  )

  it.effect("is requested at the server's path and profile", () =>
    Effect.gen(function* () {
      const server = yield* routingServer(finding(1, 1))
      const routing = OsrmRouting.layer({ url: new URL("osrm/", server.url), profile: "taxi" })
      yield* Effect.provide(
        Routing.use((it) => it.route(way, defaultRoutingSettings)),
        routing
      )
      assert.match(server.asked[0] ?? "", /^\/osrm\/route\/v1\/taxi\/8\./u)
    })
  )

  it.effect("of a single point causes no request", () =>
    Effect.gen(function* () {
      const { asked, route } = yield* over(finding(1, 1))
      assert.strictEqual((yield* route([zurich])).distance_m, 0)
      assert.deepStrictEqual(asked, [])
    })
  )
})

describe("a server that finds no route", () => {
  it.effect.each(["NoRoute", "NoSegment", "TooBig", "InvalidValue", "InvalidQuery"])(
    "%s: the estimate is returned, and other points are requested again",
    (code) =>
      Effect.gen(function* () {
        const { asked, route } = yield* over((response, number) =>
          number === 1 ? refusing(code)(response, number) : finding(5, 5)(response, number)
        )
        assert.deepStrictEqual(yield* route(), estimate)
        assert.strictEqual((yield* route()).source, "road")
        assert.strictEqual(asked.length, 2)
      })
  )
})

const broken: Readonly<Record<string, Manner>> = {
  "hangs up": hangingUp,
  "responds with an error": saying(503, "busy"),
  redirects: (response) => void response.writeHead(302, { location: "/elsewhere" }).end(),
  "responds with something else": saying(200, "<html>"),
  "responds without a way": saying(200, '{"code":"Ok","routes":[]}'),
  "responds with a negative way": finding(-1, 5),
  "does not know the address": saying(400, '{"code":"InvalidUrl"}'),
  "responds without an end": (response) => {
    response.writeHead(200)
    response.on("error", () => undefined)
    const more = () => {
      while (response.writable && response.write("x".repeat(16_384)));
      response.once("drain", more)
    }
    more()
  }
}

describe("a faulty server", () => {
  it.effect.each(Object.keys(broken))(
    "%s: the estimate is returned, without a request during the cooldown",
    (name) =>
      Effect.gen(function* () {
        const { asked, route } = yield* over((response, number) =>
          number === 1 ? broken[name]?.(response, number) : finding(5, 5)(response, number)
        )
        assert.deepStrictEqual(yield* route(), estimate)
        yield* TestClock.adjust("9999 millis")
        assert.deepStrictEqual(yield* route(), estimate)
        assert.strictEqual(asked.length, 1)
        yield* TestClock.adjust("1 millis")
        assert.strictEqual((yield* route()).source, "road")
        assert.strictEqual(asked.length, 2)
      })
  )

  it.effect("is asked again after the cooldown although the clock was set back by an hour", () =>
    Effect.gen(function* () {
      const { route } = yield* over((response, number) =>
        number === 1 ? response.destroy() : finding(5, 5)(response, number)
      )
      yield* TestClock.adjust("2 hours")
      assert.deepStrictEqual(yield* route(), estimate)
      yield* TestClock.setTime(3_600_000)
      yield* TestClock.adjust("10 seconds")
      assert.strictEqual((yield* route()).source, "road")
    })
  )

  it.effect("that cannot be reached: the estimate is returned", () =>
    Effect.gen(function* () {
      // The port is free again once the scope of the server has closed.
      const { url } = yield* Effect.scoped(routingServer(silent))
      const routing = OsrmRouting.layer({ url })
      const route = Effect.provide(
        Routing.use((it) => it.route(way, defaultRoutingSettings)),
        Layer.merge(routing, Logger.layer([]))
      )
      assert.deepStrictEqual(yield* route, estimate)
    })
  )

  it.effect("that never responds: the estimate is returned after the time limit", () =>
    Effect.gen(function* () {
      const { arrival, route } = yield* over(silent)
      const arrived = yield* Effect.forkChild(arrival)
      const asking = yield* Effect.forkChild(route())
      yield* Fiber.join(arrived)
      yield* TestClock.adjust("1999 millis")
      assert.isUndefined(asking.pollUnsafe())
      yield* TestClock.adjust("1 millis")
      assert.deepStrictEqual(yield* Fiber.join(asking), estimate)
    })
  )
})
