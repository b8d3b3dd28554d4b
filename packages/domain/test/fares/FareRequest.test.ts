import { assert, describe, it } from "@effect/vitest"
import {
  estimateFares,
  fareInputs,
  FareRequest,
  greatCircleRoute,
  type Route,
  Routing,
  RoutingSettings,
  defaultRoutingSettings
} from "@livery/domain"
import { Effect, Layer, Schema } from "effect"
import { decoded, issuesOf } from "../support/Decoding.ts"
import { compiled, sedan } from "./Tariffs.ts"

const zurich = { lat: 47.3779, lng: 8.5403 }
const bern = { lat: 46.949, lng: 7.4391 }
const airport = {
  id: "zrh",
  name: "Zurich airport",
  kind: "airport",
  airport: "ZRH",
  lat: 47.4582,
  lng: 8.5555,
  radius_m: 3000
}
const tariff = compiled({
  zones: [airport],
  classes: [{ vehicle_class: "sedan", distance: [{ tiers: [{ amount: 3 }] }] }]
})

const settings = { timezone: "Europe/Zurich", routing: defaultRoutingSettings }
const inputsOf = (request: object, of = tariff) =>
  fareInputs(of, decoded(FareRequest, { trip_date: "2026-06-17 12:00:00", ...request }), settings)

const from = (point: typeof zurich) => ({ pickup_lat: point.lat, pickup_lng: point.lng })
const to = (point: typeof zurich) => ({ dropoff_lat: point.lat, dropoff_lng: point.lng })

describe("a request for a fare", () => {
  it("requires only a date, and names every wrong field", () => {
    assert.deepStrictEqual(issuesOf(FareRequest, { trip_date: "2026-06-17T12:00:00Z" }), [])
    assert.deepStrictEqual(
      issuesOf(FareRequest, {
        trip_type: "ride",
        arrival: "bus",
        pickup_lat: 91,
        pickup_airport: "Zurich",
        stops: [{ minutes: -1 }],
        distance_m: 1.5,
        duration_minutes: 0,
        participants_count: 0,
        luggage_count: -1,
        child_seats: [{ count: 1 }],
        meet_and_greet: "yes"
      }),
      [
        "trip_date required",
        "trip_type unknown_value",
        "arrival unknown_value",
        "pickup_lat out_of_range",
        "pickup_airport invalid",
        "stops.0.minutes out_of_range",
        "distance_m invalid",
        "duration_minutes out_of_range",
        "participants_count out_of_range",
        "luggage_count out_of_range",
        "child_seats.0.type required",
        "meet_and_greet invalid"
      ]
    )
    assert.deepStrictEqual(
      issuesOf(FareRequest, {
        trip_date: "2026-06-17",
        stops: Array.from({ length: 51 }),
        child_seats: Array.from({ length: 21 })
      }),
      ["trip_date invalid", "stops too_long", "child_seats too_long"]
    )
  })

  it.effect("an instant is converted to the business's clock, and a local time is kept", () =>
    Effect.gen(function* () {
      const local = (trip_date: string) =>
        Effect.map(inputsOf({ trip_date }), ({ pickup_local }) => pickup_local)
      assert.strictEqual(yield* local("2026-06-17T21:30:00Z"), "2026-06-17 23:30:00")
      assert.strictEqual(yield* local("2026-06-17T21:30:00-04:00"), "2026-06-18 03:30:00")
      assert.strictEqual(yield* local("2026-06-17 21:30"), "2026-06-17 21:30:00")
    }).pipe(Effect.provide(Routing.layerGreatCircle))
  )

  it.effect(
    "a local time that the clocks skip is the later one, and in a repeated hour both instants are at that time",
    () =>
      Effect.gen(function* () {
        const night = sedan({ night: [{ when: [{ from: "22:00", to: "03:00" }], percent: 10 }] })
        const price = (trip_date: string) =>
          Effect.map(inputsOf({ trip_date, distance_m: 1, duration_minutes: 1 }, night), (inputs) => [
            inputs.pickup_local,
            estimateFares(night, inputs).fares[0]?.total_minor
          ])
        // On 29 March 2026 the clocks of Zurich go from 02:00 to 03:00: 02:30 is 03:30, which is no longer night.
        assert.deepStrictEqual(yield* price("2026-03-29 02:30:00"), ["2026-03-29 03:30:00", 10_000])
        assert.deepStrictEqual(yield* price("2026-03-29T00:59:59Z"), ["2026-03-29 01:59:59", 11_000])
        // On 25 October they go from 03:00 back to 02:00: both instants of 02:30 are at night.
        for (const at of ["2026-10-25T00:30:00Z", "2026-10-25T01:30:00Z", "2026-10-25 02:30:00"])
          assert.deepStrictEqual(yield* price(at), ["2026-10-25 02:30:00", 11_000], at)
        assert.deepStrictEqual(yield* price("2026-10-25T02:00:00Z"), ["2026-10-25 03:00:00", 10_000])
      }).pipe(Effect.provide(Routing.layerGreatCircle))
  )

  it.effect(
    "distance and duration are estimated from the points unless they were sent, and are unknown if a point is",
    () =>
      Effect.gen(function* () {
        const way = greatCircleRoute([zurich, bern], defaultRoutingSettings)
        const estimated = yield* inputsOf({ ...from(zurich), ...to(bern) })
        assert.deepInclude(estimated, {
          distance_m: way.distance_m,
          duration_minutes: way.duration_minutes,
          route_source: "great_circle"
        })
        const sent = yield* inputsOf({ ...from(zurich), ...to(bern), distance_m: 125_000 })
        assert.deepInclude(sent, { distance_m: 125_000, duration_minutes: way.duration_minutes })
        const both = yield* inputsOf({
          ...from(zurich),
          ...to(bern),
          distance_m: 125_000,
          duration_minutes: 90
        })
        assert.isNull(both.route_source)
        const unknown = yield* inputsOf({ ...from(zurich), dropoff_postal_code: "3001" })
        assert.deepInclude(unknown, { distance_m: null, duration_minutes: null, route_source: null })
        assert.deepStrictEqual(estimateFares(tariff, unknown).unavailable, [
          { vehicle_class: "sedan", reason: "distance_unknown" }
        ])
        const half = yield* inputsOf({ pickup_lat: 47, ...to(bern) })
        assert.isNull(half.distance_m)
      }).pipe(Effect.provide(Routing.layerGreatCircle))
  )

  it.effect("a route goes through the stops, and begins at the airport if only its code is sent", () =>
    Effect.gen(function* () {
      const basel = { lat: 47.5596, lng: 7.5886 }
      const via = yield* inputsOf({ pickup_airport: "ZRH", ...to(bern), stops: [{ ...basel, minutes: 10 }] })
      const { distance_m } = greatCircleRoute(
        [{ lat: 47.4582, lng: 8.5555 }, basel, bern],
        defaultRoutingSettings
      )
      assert.deepInclude(via, { distance_m, stop_minutes: [10], arrival: "flight" })
      const blind = yield* inputsOf({ ...from(zurich), ...to(bern), stops: [{ minutes: 5 }] })
      assert.isNull(blind.distance_m)
    }).pipe(Effect.provide(Routing.layerGreatCircle))
  )

  it.effect(
    "the arrival is by flight at an airport and else at an address, unless the request says otherwise",
    () =>
      Effect.gen(function* () {
        const arrival = (request: object) => Effect.map(inputsOf(request), (inputs) => inputs.arrival)
        assert.strictEqual(yield* arrival({}), "address")
        assert.strictEqual(yield* arrival({ trip_type: "airport_arrival" }), "flight")
        assert.strictEqual(yield* arrival({ pickup_lat: 47.4582, pickup_lng: 8.5555 }), "flight")
        assert.strictEqual(
          yield* arrival({ pickup_airport: "ZRH", arrival: "domestic_flight" }),
          "domestic_flight"
        )
        assert.strictEqual(yield* arrival({ trip_type: "airport_departure" }), "address")
      }).pipe(Effect.provide(Routing.layerGreatCircle))
  )

  it.effect(
    "the route is requested once, and not for a trip that is priced by time or has a distance and a duration",
    () => {
      const asked: Array<number> = []
      const found: Route = { distance_m: 99_999_999, duration_minutes: 12, source: "road" }
      const counting = Layer.succeed(
        Routing,
        Routing.of({
          route: (points) =>
            Effect.sync(() => {
              asked.push(points.length)
              return found
            })
        })
      )
      return Effect.gen(function* () {
        const points = { ...from(zurich), ...to(bern) }
        yield* inputsOf({ ...points, trip_type: "hourly", duration_minutes: 180 })
        yield* inputsOf({ ...points, distance_m: 1, duration_minutes: 1 })
        assert.deepStrictEqual(asked, [])
        // A longer route than any fare allows is cut to the longest one.
        const road = yield* inputsOf(points)
        assert.deepInclude(road, { distance_m: 10_000_000, duration_minutes: 12, route_source: "road" })
        assert.deepStrictEqual(asked, [2])
      }).pipe(Effect.provide(counting))
    }
  )
})

describe("the default route", () => {
  const settings = { detour_factor: 1.25, speed_kmh: 60 }
  it("is the great circle times the factor, at the speed, in started minutes", () => {
    const oneDegree = greatCircleRoute(
      [
        { lat: 0, lng: 0 },
        { lat: 0, lng: 1 }
      ],
      settings
    )
    assert.deepStrictEqual(oneDegree, { distance_m: 138_994, duration_minutes: 139, source: "great_circle" })
    assert.deepStrictEqual(greatCircleRoute([zurich], settings), {
      distance_m: 0,
      duration_minutes: 0,
      source: "great_circle"
    })
  })

  it("has bounds for its settings", () => {
    assert.deepStrictEqual(issuesOf(RoutingSettings, defaultRoutingSettings), [])
    assert.deepStrictEqual(issuesOf(RoutingSettings, { detour_factor: 0.9, speed_kmh: 201 }), [
      "detour_factor out_of_range",
      "speed_kmh out_of_range"
    ])
  })

  const Degrees = (most: number) => Schema.Finite.check(Schema.isBetween({ minimum: -most, maximum: most }))
  it.prop(
    "a route through another point is never shorter",
    {
      a: Schema.Tuple([Degrees(90), Degrees(180)]),
      b: Schema.Tuple([Degrees(90), Degrees(180)]),
      c: Schema.Tuple([Degrees(90), Degrees(180)])
    },
    ({ a, b, c }) => {
      const [from, to, via] = [a, b, c].map(([lat, lng]) => ({ lat, lng }))
      if (from === undefined || to === undefined || via === undefined) return
      const direct = greatCircleRoute([from, to], settings)
      const detour = greatCircleRoute([from, via, to], settings)
      assert.isAtLeast(detour.distance_m, direct.distance_m - 1)
    }
  )
})
