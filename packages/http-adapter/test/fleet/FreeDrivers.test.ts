import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { company, wrong } from "../support/Fleet.ts"
import { PortsInMemory } from "../support/TestPorts.ts"
import { openServer, record, records, refusedAs } from "../support/TestServer.ts"

const at = (time: string) => `2026-12-24T${time}:00Z`
const path = "/drivers/free"
const during = `from=${at("12:00")}&to=${at("13:00")}`

layer(PortsInMemory)("the search for free drivers", (it) => {
  it.effect("returns those without a trip or an absence, each with the jobs before and after", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const [own, other] = [yield* company(server), yield* company(server)]
      yield* other.driver()
      const { car, driver, send, trip } = own
      const { car_id } = yield* car({ vehicle_class: "van", seats: 8 })
      const [dan, eve, fay] = [
        yield* driver({ name: "Dan", default_car_id: car_id, phone: "+41 44 000 00 00" }),
        yield* driver({ name: "Eve" }),
        yield* driver({ name: "Fay" })
      ]
      yield* driver({ name: "Gus", active: false })
      const assigned = Effect.fnUntraced(function* (time: string, driver_id: unknown, more = {}) {
        const made = yield* trip({ trip_date: at(time), ...more })
        record(yield* send("POST", `/trips/${String(made["trip_id"])}/drivers`, { driver_ids: [driver_id] }))
        return made
      })
      const place = { dropoff_lat: 47.4502, dropoff_lng: 8.5618 }
      const before = yield* assigned("10:00", dan["driver_id"], place)
      const after = yield* assigned("13:00", dan["driver_id"])
      yield* assigned("12:30", eve["driver_id"])
      const away = { starts_at: at("00:00"), ends_at: at("23:00") }
      const answer = yield* send("GET", `${path}?${during}&near=47.3769,8.5417`)
      const [first, ...others] = records(answer)
      assert.deepStrictEqual(
        others.map(({ name, previous_job }) => [name, previous_job]),
        [["Fay", null]]
      )
      assert.deepInclude(first, {
        driver_id: dan["driver_id"],
        name: "Dan",
        phone: "+41 44 000 00 00",
        distance_m: 8290,
        car: { car_id, name: "Black", plate_number: null, vehicle_class: "van", seats: 8, free: true }
      })
      const job = ({ reference, trip_id }: Readonly<Record<string, unknown>>) => ({ trip_id, reference })
      assert.deepStrictEqual(first?.["previous_job"], {
        ...job(before),
        from: at("10:00"),
        to: at("11:00"),
        address: "There",
        lat: 47.4502,
        lng: 8.5618
      })
      assert.deepInclude(first?.["next_job"], {
        ...job(after),
        from: at("13:00"),
        address: "Here",
        lat: null
      })
      record(yield* send("POST", `/drivers/${String(fay["driver_id"])}/absences`, away))
      const names = Effect.fnUntraced(function* (query: string) {
        return records(yield* send("GET", `${path}?${query}`)).map(({ name }) => name)
      })
      assert.deepStrictEqual(yield* names(during), ["Dan"])
      assert.deepStrictEqual(yield* names(`${during}&vehicle_class=van`), ["Dan"])
      assert.deepStrictEqual(yield* names(`${during}&vehicle_class=bus`), [])
      assert.deepStrictEqual(yield* names(`from=${at("10:30")}&to=${at("11:30")}`), ["Eve"])
      assert.deepStrictEqual(yield* names("from=2026-12-24 23:00:00&to=2026-12-24 23:30:00"), [
        "Dan",
        "Eve",
        "Fay"
      ])
      const { meta } = (yield* send("GET", `${path}?${during}&per_page=1&page=2`)).body
      assert.deepInclude(meta?.["pagination"], { total: 1, has_more: false, count: 0 })
    })
  )

  it.effect("names every wrong parameter", () =>
    Effect.gen(function* () {
      const { send } = yield* company(yield* openServer())
      const refused = (query: string) =>
        Effect.map(send("GET", `${path}?${query}`), (answer) => refusedAs(answer, 422, "invalid_request"))
      assert.deepStrictEqual(yield* refused(""), wrong({ from: "required", to: "required" }))
      assert.deepStrictEqual(
        yield* refused("from=soon&to=later&vehicle_class=tank&near=1&page=0"),
        wrong({
          page: "out_of_range",
          from: "invalid",
          to: "invalid",
          vehicle_class: "unknown_value",
          near: "invalid"
        })
      )
      for (const near of ["91,0", "0,181", "0", "a,b", "0,0,0", ""])
        assert.deepStrictEqual(yield* refused(`${during}&near=${near}`), wrong({ near: "invalid" }), near)
      for (const to of [at("12:00"), at("11:00"), "2027-02-01T12:00:00Z"])
        assert.deepStrictEqual(
          yield* refused(`from=${at("12:00")}&to=${to}`),
          wrong({ to: "out_of_range" }),
          to
        )
    })
  )
})
