import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { wrong } from "../support/Fleet.ts"
import { expireCredentials, Ports } from "../support/TestPorts.ts"
import { openServer, record, records, refusedAs } from "../support/TestServer.ts"
import { at, businessWithPolicy, idOf } from "./DriverAbsences.ts"

layer(Ports)("the absences of a driver", (it) => {
  it.effect("are added, listed the earliest first, and removed", () =>
    Effect.gen(function* () {
      const { absencesOf, away, newDriver, send } = yield* businessWithPolicy(yield* openServer())
      const dan = yield* newDriver
      const later = record(yield* away(dan, "14:00", "15:00", { kind: "sick", note: " Flu " }))
      const earlier = record(yield* away(dan, "08:00", "09:00"))
      const [sick] = later["absences"] as ReadonlyArray<Readonly<Record<string, unknown>>>
      assert.deepInclude(sick, {
        driver_id: dan,
        kind: "sick",
        note: "Flu",
        starts_at: at("14:00"),
        ends_at: at("15:00")
      })
      assert.deepStrictEqual(later["warnings"], [])
      const ids = (list: ReadonlyArray<Readonly<Record<string, unknown>>>) =>
        list.map(({ absence_id }) => absence_id)
      assert.deepStrictEqual(ids(yield* absencesOf(dan)), [idOf(earlier), idOf(later)])
      assert.deepStrictEqual(ids(yield* absencesOf(dan, `?from=${at("09:00")}`)), [idOf(later)])
      assert.deepStrictEqual(ids(yield* absencesOf(dan, `?to=${at("14:00")}&per_page=1`)), [idOf(earlier)])
      const availability = record(
        yield* send("GET", `/drivers/${dan}/availability?date_from=2026-12-24&date_to=2026-12-24`)
      )
      assert.deepStrictEqual(availability["absent"], [
        { absence_id: idOf(earlier), kind: "day_off", from: at("08:00"), to: at("09:00") },
        { absence_id: idOf(later), kind: "sick", from: at("14:00"), to: at("15:00") }
      ])
      const removed = yield* send("DELETE", `/drivers/${dan}/absences`, { absence_ids: [idOf(later)] })
      assert.deepStrictEqual(record(removed), { deleted: true })
      assert.deepStrictEqual(ids(yield* absencesOf(dan)), [idOf(earlier)])
    })
  )

  it.effect("of all drivers are listed for a time of at most 31 days", () =>
    Effect.gen(function* () {
      const { away, newDriver, send } = yield* businessWithPolicy(yield* openServer())
      const [dan, eve] = [yield* newDriver, yield* newDriver]
      const later = record(yield* away(dan, "14:00", "15:00", { kind: "sick" }))
      const earlier = record(yield* away(eve, "08:00", "09:00"))
      const read = (query: string) => send("GET", `/drivers/absences${query}`)
      const listed = records(yield* read(`?from=${at("00:00")}&to=${at("18:00")}`))
      assert.deepStrictEqual(
        listed.map(({ absence_id, driver_id, kind }) => [absence_id, driver_id, kind]),
        [
          [idOf(earlier), eve, "day_off"],
          [idOf(later), dan, "sick"]
        ]
      )
      assert.strictEqual(records(yield* read(`?from=${at("09:00")}&to=${at("18:00")}`)).length, 1)
      const refused = (query: string) =>
        Effect.map(read(query), (answer) => refusedAs(answer, 422, "invalid_request"))
      assert.deepStrictEqual(yield* refused(""), wrong({ from: "required", to: "required" }))
      const tooLong = `?from=${at("00:00")}&to=2027-02-24T00:00:00Z`
      assert.deepStrictEqual(yield* refused(tooLong), wrong({ to: "out_of_range" }))
    })
  )

  it.effect("repeat on weekdays, at the same times on the business's clock", () =>
    Effect.gen(function* () {
      const { absencesOf, addTo, businessId, newDriver } = yield* businessWithPolicy(yield* openServer())
      const sql = yield* SqlClient.SqlClient
      yield* sql`UPDATE businesses SET timezone = 'Europe/Zurich' WHERE business_id = ${businessId}`
      yield* expireCredentials
      const dan = yield* newDriver
      // A Thursday, three days before the clocks change. The shift ends on the next day.
      const added = yield* addTo(dan, {
        kind: "off_shift",
        starts_at: "2026-10-22T22:00:00",
        ends_at: "2026-10-23T06:00:00",
        repeat: { weekdays: ["monday", "friday"], until: "2026-10-27" }
      })
      assert.strictEqual(added.status, 201)
      const times = [
        ["2026-10-22T20:00:00Z", "2026-10-23T04:00:00Z"],
        ["2026-10-23T20:00:00Z", "2026-10-24T04:00:00Z"],
        ["2026-10-26T21:00:00Z", "2026-10-27T05:00:00Z"]
      ]
      assert.deepStrictEqual(
        (yield* absencesOf(dan)).map(({ ends_at, starts_at }) => [starts_at, ends_at]),
        times
      )
    })
  )

  it.effect("name the driver's trips at that time, and no others", () =>
    Effect.gen(function* () {
      const { assign, away, newDriver, newTrip } = yield* businessWithPolicy(yield* openServer())
      const [dan, eve] = [yield* newDriver, yield* newDriver]
      const [one, two, touching, others] = [
        yield* newTrip("10:00"),
        yield* newTrip("11:30"),
        yield* newTrip("12:00"),
        yield* newTrip("10:00")
      ]
      for (const trip of [one, two, touching]) record(yield* assign(trip, [dan]))
      record(yield* assign(others, [eve]))
      const added = record(yield* away(dan, "10:59", "12:00"))
      const about = { type: "driver_absent", driver_id: dan, absence_id: idOf(added) }
      assert.deepStrictEqual(added["warnings"], [
        { ...about, trip_id: one },
        { ...about, trip_id: two }
      ])
    })
  )

  it.effect("are warnings when the driver is assigned, and when the trip moves there", () =>
    Effect.gen(function* () {
      const { assign, away, newDriver, newTrip, send } = yield* businessWithPolicy(yield* openServer())
      const dan = yield* newDriver
      const absence_id = idOf(record(yield* away(dan, "12:00", "18:00")))
      const warning = { type: "driver_absent", driver_id: dan, absence_id }
      const [during, before] = [yield* newTrip("17:59"), yield* newTrip("11:00")]
      assert.deepStrictEqual(record(yield* assign(during, [dan]))["warnings"], [warning])
      assert.deepStrictEqual(record(yield* assign(before, [dan]))["warnings"], [])
      const moved = yield* send("PATCH", `/trips/${before}`, { trip_date: at("11:01") })
      assert.deepStrictEqual(record(moved)["warnings"], [warning])
      const batch = yield* send("POST", "/dispatch/assignments", [{ trip_id: during, driver_ids: [dan] }])
      assert.deepStrictEqual(records(batch)[0]?.["warnings"], [warning])
      record(yield* send("PATCH", "/settings/business", { clash_policy: "off" }))
      assert.deepStrictEqual(record(yield* assign(during, [dan]))["warnings"], [])
      assert.deepStrictEqual(record(yield* away(dan, "10:00", "18:00"))["warnings"], [])
    })
  )

  it.effect("are 409 under `enforce` until they are confirmed, for the trip and for the absence", () =>
    Effect.gen(function* () {
      const { absencesOf, assign, away, newDriver, newTrip, send } = yield* businessWithPolicy(
        yield* openServer(),
        "enforce"
      )
      const [dan, eve] = [yield* newDriver, yield* newDriver]
      const absence_id = idOf(record(yield* away(dan, "12:00", "18:00")))
      const trip = yield* newTrip("13:00")
      const warning = { type: "driver_absent", driver_id: dan, absence_id }
      assert.deepStrictEqual(refusedAs(yield* assign(trip, [dan]), 409, "confirmation_required"), [warning])
      const entry = { trip_id: trip, driver_ids: [dan] }
      const refused = yield* send("POST", "/dispatch/assignments", [entry])
      assert.deepStrictEqual(refusedAs(refused, 409, "confirmation_required"), [
        { field: "0.trip_id", ...warning }
      ])
      assert.deepStrictEqual(record(yield* send("GET", `/trips/${trip}`))["driver_ids"], [])
      assert.deepStrictEqual(record(yield* assign(trip, [dan], { force: true }))["warnings"], [warning])

      record(yield* assign(trip, [dan, eve]))
      const clash = { type: "driver_absent", driver_id: eve, trip_id: trip }
      assert.deepStrictEqual(refusedAs(yield* away(eve, "12:00", "14:00"), 409, "confirmation_required"), [
        clash
      ])
      assert.deepStrictEqual(yield* absencesOf(eve), [])
      const forced = record(yield* away(eve, "12:00", "14:00", { force: true }))
      assert.deepStrictEqual(forced["warnings"], [{ ...clash, absence_id: idOf(forced) }])
      assert.lengthOf(yield* absencesOf(eve), 1)
    })
  )

  it.effect("are not repeated beyond the last time that a timestamp can express", () =>
    Effect.gen(function* () {
      const { absencesOf, addTo, newDriver } = yield* businessWithPolicy(yield* openServer())
      const dan = yield* newDriver
      const times = { starts_at: "2999-12-24T10:00:00Z", ends_at: "2999-12-24T11:00:00Z" }
      const repeat = (until: string) => addTo(dan, { ...times, repeat: { weekdays: ["tuesday"], until } })
      assert.deepStrictEqual(
        refusedAs(yield* repeat("3000-01-31"), 422, "invalid_request"),
        wrong({ "repeat.until": "out_of_range" })
      )
      assert.deepStrictEqual(yield* absencesOf(dan), [])
      record(yield* repeat("3000-01-01"))
      assert.lengthOf(yield* absencesOf(dan), 2)
    })
  )

  it.effect("name every wrong field, and nothing is stored", () =>
    Effect.gen(function* () {
      const { absencesOf, addTo, away, newDriver, send } = yield* businessWithPolicy(yield* openServer())
      const dan = yield* newDriver
      const refused = (body: object) =>
        Effect.map(addTo(dan, body), (answer) => refusedAs(answer, 422, "invalid_request"))
      assert.deepStrictEqual(yield* refused({}), wrong({ starts_at: "required", ends_at: "required" }))
      assert.deepStrictEqual(
        yield* refused({
          starts_at: "soon",
          ends_at: 5,
          kind: "tired",
          note: "x".repeat(501),
          repeat: { weekdays: ["caturday"], until: "2026-02-30" },
          force: "yes"
        }),
        wrong({
          kind: "unknown_value",
          starts_at: "invalid",
          ends_at: "invalid",
          note: "too_long",
          "repeat.weekdays.0": "unknown_value",
          "repeat.until": "invalid",
          force: "invalid"
        })
      )
      const times = { starts_at: at("10:00"), ends_at: at("11:00") }
      for (const ends_at of [at("10:00"), at("09:00"), "2027-12-26T10:00:00Z"])
        assert.deepStrictEqual(
          yield* refused({ ...times, ends_at }),
          wrong({ ends_at: "out_of_range" }),
          ends_at
        )
      for (const until of ["2026-12-23", "2027-12-25"])
        assert.deepStrictEqual(
          yield* refused({ ...times, repeat: { weekdays: ["monday"], until } }),
          wrong({ "repeat.until": "out_of_range" }),
          until
        )
      assert.deepStrictEqual(
        yield* refused({ ...times, repeat: { weekdays: [] } }),
        wrong({ "repeat.weekdays": "required", "repeat.until": "required" })
      )
      assert.deepStrictEqual(yield* absencesOf(dan), [])
      const kept = idOf(record(yield* away(dan, "10:00", "11:00")))
      const path = `/drivers/${dan}/absences`
      const remove = (absence_ids: unknown) =>
        Effect.map(send("DELETE", path, { absence_ids }), (answer) =>
          refusedAs(answer, 422, "invalid_request")
        )
      assert.deepStrictEqual(yield* remove([kept, 999_999_999]), wrong({ "absence_ids.1": "not_found" }))
      assert.deepStrictEqual(yield* remove([]), wrong({ absence_ids: "required" }))
      assert.deepStrictEqual(yield* remove(["x"]), wrong({ "absence_ids.0": "invalid" }))
      assert.lengthOf(yield* absencesOf(dan), 1)
      for (const query of ["?from=soon", "?to=x", "?until=2026-01-01"])
        refusedAs(yield* send("GET", `${path}${query}`), 422, "invalid_request")
    })
  )

  it.effect("of another driver or of another business are not found", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const [own, other] = [yield* businessWithPolicy(server), yield* businessWithPolicy(server)]
      const [dan, eve, theirs] = [yield* own.newDriver, yield* own.newDriver, yield* other.newDriver]
      const ofEve = idOf(record(yield* own.away(eve, "10:00", "11:00")))
      const foreign = idOf(record(yield* other.away(theirs, "10:00", "11:00")))
      const removed = yield* own.send("DELETE", `/drivers/${dan}/absences`, { absence_ids: [ofEve, foreign] })
      assert.deepStrictEqual(
        refusedAs(removed, 422, "invalid_request"),
        wrong({ "absence_ids.0": "not_found", "absence_ids.1": "not_found" })
      )
      const path = `/drivers/${theirs}/absences`
      refusedAs(yield* own.send("GET", path), 404, "not_found")
      refusedAs(yield* own.away(theirs, "10:00", "11:00"), 404, "not_found")
      refusedAs(yield* own.send("DELETE", path, { absence_ids: [foreign] }), 404, "not_found")
      assert.lengthOf(yield* other.absencesOf(theirs), 1)
    })
  )

  it.effect(
    "and assignments at the same time never both pass under `enforce`",
    () =>
      Effect.gen(function* () {
        const { assign, away, businessId, newDriver, newTrip, send } = yield* businessWithPolicy(
          yield* openServer(),
          "enforce"
        )
        const sql = yield* SqlClient.SqlClient
        const dan = yield* newDriver
        const trips = [yield* newTrip("10:00"), yield* newTrip("12:00"), yield* newTrip("14:00")]
        for (let round = 0; round < 6; round++) {
          const answers = yield* Effect.all(
            [
              ...trips.map((trip) => assign(trip, [dan])),
              ...["10:30", "12:30", "14:30"].map((from) => away(dan, from, from.replace(":30", ":45"))),
              send("POST", "/dispatch/assignments", [{ trip_id: trips[0], driver_ids: [dan] }])
            ],
            { concurrency: "unbounded" }
          )
          for (const { status, text } of answers) assert.include([200, 201, 409], status, text)
          const both = yield* sql`
          SELECT a.trip_id FROM assignments a JOIN driver_absences b
            ON b.business_id = a.business_id AND b.driver_id = a.driver_id
            AND a.trip_date < b.ends_at AND b.starts_at < a.trip_ends_at
          WHERE a.business_id = ${businessId} AND a.status = 'assigned'`
          assert.lengthOf(both, 0)
          for (const trip of trips) record(yield* assign(trip, []))
          yield* sql`DELETE FROM driver_absences WHERE business_id = ${businessId}`
        }
      }),
    60_000
  )
})
