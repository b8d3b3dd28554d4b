import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { company, wrong } from "../support/Fleet.ts"
import { tariff } from "../support/Tenant.ts"
import { Ports } from "../support/TestPorts.ts"
import { openServer, record, records, refusedAs } from "../support/TestServer.ts"

const atTen = { trip_date: "2026-12-24T10:00:00Z", distance_m: 10_000, duration_minutes: 20 }

layer(Ports)("tariffs", (it) => {
  it.effect("are stored as version 1, and each change that makes a difference is the next version", () =>
    Effect.gen(function* () {
      const { send } = yield* company(yield* openServer())
      const made = yield* send("POST", "/tariffs", tariff)
      assert.strictEqual(made.status, 201)
      const { tariff_id, ...fields } = record(made)
      assert.deepInclude(fields, {
        version: 1,
        name: "Prices",
        currency: "USD",
        distance_unit: "km",
        warnings: []
      })
      const path = `/tariffs/${String(tariff_id)}`
      const read = yield* send("GET", path)
      assert.deepStrictEqual(record(read), record(made))
      const same = record(yield* send("PATCH", path, { name: "Prices" }))
      assert.deepStrictEqual(same, record(made))
      const changed = record(yield* send("PATCH", path, { name: "Winter", zones: [] }))
      assert.deepInclude(changed, { version: 2, name: "Winter", classes: fields["classes"] })
      refusedAs(
        yield* send("PATCH", path, { name: "Late" }, { "if-match": read.headers.get("etag") ?? "" }),
        409,
        "conflict"
      )
      const [listed] = records(yield* send("GET", "/tariffs"))
      assert.deepInclude(listed, { tariff_id, name: "Winter", version: 2, currency: "USD" })
      assert.notProperty(listed, "classes")
      assert.deepStrictEqual(record(yield* send("DELETE", path)), { deleted: true })
      for (const method of ["GET", "PATCH", "DELETE"])
        refusedAs(yield* send(method, path, method === "GET" ? undefined : { name: "X" }), 404, "not_found")
      assert.isEmpty(records(yield* send("GET", "/tariffs")))
    })
  )

  it.effect("with wrong fields are refused, naming all of them, and nothing is stored", () =>
    Effect.gen(function* () {
      const { send } = yield* company(yield* openServer())
      const sql = yield* SqlClient.SqlClient
      const bad = {
        name: " ",
        currency: "XXX",
        distance_unit: "ft",
        zones: 7,
        classes: [{ vehicle_class: "tank" }]
      }
      assert.sameDeepMembers(
        [...(refusedAs(yield* send("POST", "/tariffs", bad), 422, "invalid_request") ?? [])],
        wrong({
          name: "required",
          currency: "unknown_value",
          distance_unit: "unknown_value",
          zones: "invalid",
          "classes.0.vehicle_class": "unknown_value"
        })
      )
      const { tariff_id } = record(yield* send("POST", "/tariffs", tariff))
      const path = `/tariffs/${String(tariff_id)}`
      const contradictory = {
        currency: "JPY",
        modifiers: { airport: [{ zone: "nowhere", pickup: 5 }], gratuity: [{}] }
      }
      for (const answer of [
        yield* send("POST", "/tariffs", { ...tariff, ...contradictory }),
        yield* send("PATCH", path, contradictory)
      ])
        assert.sameDeepMembers(
          [...(refusedAs(answer, 422, "invalid_request") ?? [])],
          wrong({
            "classes.0.distance.0.tiers.0.amount": "invalid",
            "modifiers.airport.0.zone": "not_found",
            "modifiers.gratuity.0.percent": "required"
          })
        )
      refusedAs(yield* send("PATCH", path, { nickname: "Z" }), 422, "invalid_request")
      assert.lengthOf(yield* sql`SELECT FROM tariff_versions WHERE tariff_id = ${Number(tariff_id)}`, 1)
    })
  )

  it.effect("have lists of bounded length, judged before their items, and a bounded body", () =>
    Effect.gen(function* () {
      const { send } = yield* company(yield* openServer())
      const many = (count: number) => Array.from({ length: count }, () => 7)
      const lists = {
        ...tariff,
        zones: many(501),
        classes: many(8),
        modifiers: { tolls: many(1001), child_seats: many(1001) }
      }
      assert.sameDeepMembers(
        [...(refusedAs(yield* send("POST", "/tariffs", lists), 422, "invalid_request") ?? [])],
        wrong({
          zones: "too_long",
          classes: "too_long",
          "modifiers.tolls": "too_long",
          "modifiers.child_seats": "too_long"
        })
      )
      const large = { ...tariff, name: "x".repeat(1024 ** 2) }
      refusedAs(yield* send("POST", "/tariffs", large), 413, "invalid_request")
    })
  )

  it.effect("changed at once each get a version of their own", () =>
    Effect.gen(function* () {
      const { send } = yield* company(yield* openServer())
      const { tariff_id } = record(yield* send("POST", "/tariffs", tariff))
      const answers = yield* Effect.forEach(
        Array.from({ length: 8 }, (_, index) => `Name ${index}`),
        (name) => send("PATCH", `/tariffs/${String(tariff_id)}`, { name }),
        { concurrency: "unbounded" }
      )
      assert.sameMembers(
        answers.map((answer) => record(answer)["version"]),
        [2, 3, 4, 5, 6, 7, 8, 9]
      )
    })
  )

  it.effect("price a trip in all classes, line by line, by the latest version of the chosen one", () =>
    Effect.gen(function* () {
      const { send } = yield* company(yield* openServer())
      refusedAs(yield* send("POST", "/fares/estimate", atTen), 422, "invalid_request")
      const classes = [
        ...tariff.classes,
        { vehicle_class: "van", distance: [{ base: 40 }] },
        { vehicle_class: "bus" }
      ]
      const first = record(yield* send("POST", "/tariffs", { ...tariff, classes }))["tariff_id"]
      const other = record(yield* send("POST", "/tariffs", { ...tariff, name: "Other" }))["tariff_id"]
      const estimate = record(yield* send("POST", "/fares/estimate", atTen))
      assert.deepInclude(estimate, { tariff_id: first, tariff_version: 1, currency: "USD" })
      const fares = estimate["fares"] as ReadonlyArray<Record<string, unknown>>
      assert.deepStrictEqual(
        fares.map(({ total_amount, vehicle_class }) => [vehicle_class, total_amount]),
        [
          ["sedan", 45],
          ["van", 40]
        ]
      )
      const lines = fares[0]?.["lines"] as ReadonlyArray<Record<string, unknown>>
      assert.strictEqual(
        lines.reduce((sum, { amount }) => sum + Number(amount), 0),
        45
      )
      for (const line of lines) assert.containsAllKeys(line, ["step", "rule", "inputs", "amount"])
      assert.deepStrictEqual(estimate["unavailable"], [{ vehicle_class: "bus", reason: "no_price" }])
      yield* send("PATCH", `/tariffs/${String(other)}`, {
        classes: [{ vehicle_class: "sedan", distance: [{ base: 1 }] }]
      })
      const chosen = record(yield* send("POST", "/fares/estimate", { ...atTen, tariff_id: other }))
      assert.deepInclude(chosen, { tariff_id: other, tariff_version: 2 })
      assert.nestedPropertyVal(chosen, "fares[0].total_amount", 1)
    })
  )

  it.effect("a request for a fare with wrong fields is refused, naming all of them", () =>
    Effect.gen(function* () {
      const { send } = yield* company(yield* openServer())
      yield* send("POST", "/tariffs", tariff)
      const bad = {
        tariff_id: "x",
        trip_date: "tomorrow",
        trip_type: "walk",
        distance_m: -1,
        duration_minutes: 0,
        participants_count: 0,
        pickup_lat: 91,
        pickup_airport: "zurich",
        stops: Array.from({ length: 51 }, () => ({})),
        child_seats: [{ type: "", count: -1 }]
      }
      assert.sameDeepMembers(
        [...(refusedAs(yield* send("POST", "/fares/estimate", bad), 422, "invalid_request") ?? [])],
        wrong({
          tariff_id: "invalid",
          trip_date: "invalid",
          trip_type: "unknown_value",
          distance_m: "out_of_range",
          duration_minutes: "out_of_range",
          participants_count: "out_of_range",
          pickup_lat: "out_of_range",
          pickup_airport: "invalid",
          stops: "too_long",
          "child_seats.0.type": "required",
          "child_seats.0.count": "out_of_range"
        })
      )
    })
  )
})
