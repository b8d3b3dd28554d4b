import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { company, wrong } from "../support/Fleet.ts"
import { Ports } from "../support/TestPorts.ts"
import { type Answer, openServer, record, records, refusedAs } from "../support/TestServer.ts"

interface Trip {
  readonly trip_id: number
  readonly trip_date: string
  readonly pickup_local: string
  readonly group_id: string | null
  readonly total_amount: number | null
  readonly notes: string | null
  readonly driver_ids: ReadonlyArray<number>
}

const tripsOf = (answer: Answer) => records(answer) as unknown as ReadonlyArray<Trip>

/** The changed trips of a group. */
const changedOf = (answer: Answer) => record(answer)["trips"] as ReadonlyArray<Trip>

/** A business in Zurich, and a trip on a Monday at 9:00 there. */
const repeating = Effect.gen(function* () {
  const it = yield* company(yield* openServer())
  record(yield* it.send("PATCH", "/settings/business", { timezone: "Europe/Zurich" }))
  const first = (yield* it.trip({ trip_date: "2027-03-15T09:00:00", total_amount: 80 })) as unknown as Trip
  const path = `/trips/${first.trip_id}`
  const repeat = (body: object) => it.send("POST", `${path}/repeat`, body)
  const copies = (body: object) =>
    Effect.map(
      repeat(body),
      (answer) =>
        record(answer) as unknown as {
          group_id: string
          trips: ReadonlyArray<Trip>
          skipped_holidays: ReadonlyArray<string>
        }
    )
  const read = (id: number) =>
    Effect.map(it.send("GET", `/trips/${id}`), (answer) => record(answer) as unknown as Trip)
  return { ...it, first, repeat, copies, read }
})

layer(Ports)("a repeated trip", (it) => {
  it.effect("has copies at its time on the clock of the pickup, also after clocks change, as a group", () =>
    Effect.gen(function* () {
      const { copies, first, read } = yield* repeating
      const { group_id, trips } = yield* copies({
        rrule: "FREQ=WEEKLY;BYDAY=MO,TH",
        until: "2027-04-01",
        except: ["2027-03-25"]
      })
      assert.deepStrictEqual(
        trips.map(({ pickup_local, trip_date }) => [pickup_local, trip_date]),
        [
          ["2027-03-18 09:00:00", "2027-03-18T08:00:00Z"],
          ["2027-03-22 09:00:00", "2027-03-22T08:00:00Z"],
          ["2027-03-29 09:00:00", "2027-03-29T07:00:00Z"],
          ["2027-04-01 09:00:00", "2027-04-01T07:00:00Z"]
        ]
      )
      for (const trip of trips) assert.deepInclude(trip, { group_id, total_amount: 80, driver_ids: [] })
      assert.strictEqual((yield* read(first.trip_id)).group_id, group_id)
    })
  )

  it.effect(
    "has no copy on the holidays of the business if these are skipped, and the response names them",
    () =>
      Effect.gen(function* () {
        const { copies, send } = yield* repeating
        const body = { rrule: "FREQ=DAILY;COUNT=6", until: "2027-12-31" }
        const holidays = [
          { from: "03-17", to: "03-18" },
          { from: "2027-03-20", to: null },
          { from: "2028-03-19", to: null }
        ]
        record(yield* send("PATCH", "/settings/business", { holidays }))
        const kept = yield* copies(body)
        assert.deepStrictEqual([kept.trips.length, kept.skipped_holidays], [5, []])
        const { skipped_holidays, trips } = yield* copies({ ...body, holidays: "skip" })
        assert.deepStrictEqual(
          [trips.map(({ pickup_local }) => pickup_local.slice(0, 10)), skipped_holidays],
          [
            ["2027-03-16", "2027-03-19"],
            ["2027-03-17", "2027-03-18", "2027-03-20"]
          ]
        )
        const wrongRange = yield* send("PATCH", "/settings/business", {
          holidays: [{ from: "2027-02-30" }, { from: "2027-03-02", to: "2027-03-01" }]
        })
        assert.deepStrictEqual(
          refusedAs(wrongRange, 422, "invalid_request"),
          wrong({ "holidays.0.from": "invalid", "holidays.1": "invalid" })
        )
      })
  )

  it.effect("keeps the time on the clock of a pickup in another zone", () =>
    Effect.gen(function* () {
      const { send, trip } = yield* repeating
      const { trip_id } = yield* trip({
        trip_date: "2027-03-12T14:00:00Z",
        pickup_timezone: "America/New_York"
      })
      const { trips } = record(
        yield* send("POST", `/trips/${String(trip_id)}/repeat`, { rrule: "FREQ=DAILY", until: "2027-03-15" })
      ) as unknown as { readonly trips: ReadonlyArray<Trip> }
      assert.deepStrictEqual(
        trips.map(({ trip_date }) => trip_date),
        ["2027-03-13T14:00:00Z", "2027-03-14T13:00:00Z", "2027-03-15T13:00:00Z"]
      )
    })
  )

  it.effect(
    "is moved or cancelled whole, or from one trip on; a trip that was cancelled meanwhile is left out",
    () =>
      Effect.gen(function* () {
        const { copies, first, read, send } = yield* repeating
        const { group_id, trips } = yield* copies({ rrule: "FREQ=DAILY;COUNT=4", until: "2027-12-31" })
        const [second, third, fourth] = trips.map(({ trip_id }) => trip_id)
        record(yield* send("PATCH", `/trips/${String(third)}`, { status: "cancelled" }))
        const moved = yield* send("POST", "/dispatch/groups", {
          group_id,
          from_trip_id: second,
          move_minutes: 30
        })
        assert.deepStrictEqual(
          changedOf(moved).map(({ trip_id }) => trip_id),
          [second, fourth]
        )
        assert.strictEqual((yield* read(first.trip_id)).trip_date, first.trip_date)
        const gone = yield* send("POST", "/dispatch/groups", {
          group_id,
          from_trip_id: third,
          status: "cancelled"
        })
        assert.deepStrictEqual(refusedAs(gone, 422, "invalid_request"), wrong({ from_trip_id: "not_found" }))
        assert.lengthOf(
          changedOf(yield* send("POST", "/dispatch/groups", { group_id, status: "cancelled" })),
          3
        )
      })
  )

  it.effect("while one of its trips changes, moves that trip once and keeps the other change", () =>
    Effect.gen(function* () {
      const { copies, read, send } = yield* repeating
      const { group_id, trips } = yield* copies({ rrule: "FREQ=DAILY;COUNT=6", until: "2027-12-31" })
      yield* Effect.all(
        [
          send("POST", "/dispatch/groups", { group_id, move_minutes: 30 }),
          ...trips.map(({ trip_id }) => send("PATCH", `/trips/${trip_id}`, { notes: "Side door" }))
        ],
        { concurrency: "unbounded" }
      )
      for (const before of trips) {
        const after = yield* read(before.trip_id)
        assert.strictEqual(Date.parse(after.trip_date) - Date.parse(before.trip_date), 1_800_000)
        assert.deepInclude(after, { notes: "Side door" })
      }
    })
  )

  it.effect("is refused without a copy for a wrong rule, too many copies or too long a time", () =>
    Effect.gen(function* () {
      const { repeat, send } = yield* repeating
      const count = Effect.map(send("GET", "/trips?date_from=2027-01-01"), (answer) => records(answer).length)
      const before = yield* count
      for (const [body, fields] of [
        [{ rrule: "FREQ=HOURLY", until: "2027-04-01" }, { rrule: "invalid" }],
        [{ rrule: "FREQ=DAILY", until: "2027-12-31" }, { until: "out_of_range" }],
        [{ rrule: "FREQ=DAILY", until: "2029-12-31" }, { until: "out_of_range" }],
        [{ rrule: "FREQ=DAILY", until: "2027-03-15" }, { until: "out_of_range" }],
        [{ rrule: "FREQ=WEEKLY", until: "2027-03-20" }, { rrule: "out_of_range" }]
      ] as const)
        assert.deepStrictEqual(refusedAs(yield* repeat(body), 422, "invalid_request"), wrong(fields))
      assert.strictEqual(yield* count, before)
    })
  )

  it.effect("and a copied day have the times of day of their trips, and no drivers", () =>
    Effect.gen(function* () {
      const { driver, first, send, trip } = yield* repeating
      const { driver_id } = yield* driver()
      record(yield* send("POST", `/trips/${first.trip_id}/drivers`, { driver_ids: [driver_id] }))
      yield* trip({ trip_date: "2027-03-15T21:30:00" })
      const cancelled = yield* trip({ trip_date: "2027-03-15T12:00:00" })
      record(yield* send("PATCH", `/trips/${String(cancelled["trip_id"])}`, { status: "cancelled" }))
      const answer = yield* send("POST", "/dispatch/copy-day", { from: "2027-03-15", to: "2027-03-29" })
      assert.strictEqual(answer.status, 201)
      assert.deepStrictEqual(
        tripsOf(answer).map(({ driver_ids, pickup_local }) => [pickup_local, driver_ids]),
        [
          ["2027-03-29 09:00:00", []],
          ["2027-03-29 21:30:00", []]
        ]
      )
      const empty = yield* send("POST", "/dispatch/copy-day", { from: "2027-06-01", to: "2027-06-02" })
      assert.deepStrictEqual(refusedAs(empty, 422, "invalid_request"), wrong({ from: "not_found" }))
    })
  )
})
