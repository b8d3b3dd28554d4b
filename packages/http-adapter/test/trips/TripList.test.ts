import { assert, layer } from "@effect/vitest"
import { DateTime, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { beginning, Ports } from "../support/TestPorts.ts"
import { business } from "../support/People.ts"
import { openServer, records, refusedAs } from "../support/TestServer.ts"

interface Row {
  readonly trip_id: number
  readonly status: string
  readonly payment_status: string
  readonly trip_date: Date
}

const timezone = "America/New_York"
const now = DateTime.toEpochMillis(beginning)

/** The day of an instant in the business's time zone, by the platform's calendar. */
const day = new Intl.DateTimeFormat("en-CA", { timeZone: timezone, dateStyle: "short" })

/**
 * A few hundred trips, most of them around midnights, the two clock changes and the current second; many at the same
 * time.
 */
const populate = Effect.fnUntraced(function* (businessId: number, prefix = "TR", count = 360) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`UPDATE businesses SET timezone = ${timezone} WHERE business_id = ${businessId}`
  return yield* sql<Row>`
    INSERT INTO trips (business_id, reference, status, payment_status, trip_type, trip_date, pickup_address,
                       dropoff_address, customer_name, currency, created_at, updated_at)
    SELECT ${businessId}, ${prefix} || '-' || n,
           (ARRAY['pending', 'confirmed', 'in_progress', 'completed', 'cancelled'])[1 + n % 5],
           (ARRAY['unpaid', 'partial', 'paid'])[1 + n % 3],
           'transfer',
           (ARRAY['2026-11-20 09:30:00Z', '2026-11-01 04:00:00Z', '2026-11-01 05:00:00Z', '2026-11-02 05:00:00Z',
                  '2026-11-20 05:00:00Z', '2026-11-21 05:00:00Z', '2027-03-14 05:00:00Z', '2027-03-15 04:00:00Z'
                 ]::timestamptz[])[1 + n % 8] + make_interval(secs => (n / 8) % 9 - 4, hours => 20 * ((n / 72) % 3 - 1)),
           'a', 'b', 'c', 'USD', now(), now()
    FROM generate_series(1, ${count}::int) AS n
    RETURNING trip_id, status, payment_status, trip_date`
})

const filters = {
  status: ["pending", "confirmed", "in_progress", "completed", "cancelled"],
  payment_status: ["unpaid", "partial", "paid"],
  filter: ["upcoming", "previous"],
  date_from: ["2026-11-01", "2026-11-20", "2027-03-14"],
  date_to: ["2026-11-01", "2026-11-20", "2027-03-14"]
} as const
type Filters = Partial<Record<keyof typeof filters, string>>

/** Each filter alone, and every meaningful combination. */
const combinations = Object.entries(filters).reduce<ReadonlyArray<Filters>>(
  (made, [name, values]) =>
    made.flatMap((one) => [one, ...values.map((value) => ({ ...one, [name]: value }))]),
  [{}]
)

/** The list by the specification, computed over all trips in memory. */
const expected = (trips: ReadonlyArray<Row>, query: Filters) => {
  const soonestFirst = query.filter === "upcoming" ? 1 : -1
  return trips
    .filter(
      (trip) =>
        (query.status === undefined || trip.status === query.status) &&
        (query.payment_status === undefined || trip.payment_status === query.payment_status) &&
        (query.filter !== "upcoming" || trip.trip_date.getTime() >= now) &&
        (query.filter !== "previous" || trip.trip_date.getTime() < now) &&
        (query.date_from === undefined || day.format(trip.trip_date) >= query.date_from) &&
        (query.date_to === undefined || day.format(trip.trip_date) <= query.date_to)
    )
    .sort(
      (one, other) =>
        soonestFirst * (one.trip_date.getTime() - other.trip_date.getTime() || one.trip_id - other.trip_id)
    )
    .map(({ trip_id }) => trip_id)
}

layer(Ports)("the list of trips", (it) => {
  it.effect(
    "agrees with every filter, alone and combined, in one order, on its first page and its last ones",
    () =>
      Effect.gen(function* () {
        const server = yield* openServer()
        const { businessId, key } = yield* business(server)
        const other = yield* business(server)
        const trips = yield* populate(businessId)
        yield* populate(other.businessId)
        let matched = 0
        for (const query of combinations) {
          if (query.date_from !== undefined && query.date_to !== undefined && query.date_from > query.date_to)
            continue
          const ids = expected(trips, query)
          matched += Number(ids.length > 0)
          const pages = Math.ceil(ids.length / 20)
          // The first page; of at most two filters also the last, and the empty one after it.
          const more = Object.keys(query).length > 2 ? [] : [Math.max(1, pages), pages + 1]
          for (const page of new Set([1, ...more])) {
            const search = new URLSearchParams({ ...query, page: String(page) })
            const answer = yield* server.send("GET", `/trips?${search}`, { credential: key })
            const shown = ids.slice((page - 1) * 20, page * 20)
            assert.deepStrictEqual(
              records(answer).map(({ trip_id }) => trip_id),
              shown,
              String(search)
            )
            const { next_cursor, ...pagination } = answer.body.meta?.pagination ?? {}
            assert.deepStrictEqual(pagination, {
              page,
              per_page: 20,
              count: shown.length,
              total: ids.length,
              total_pages: pages,
              has_more: page < pages
            })
            assert.strictEqual(typeof next_cursor, page < pages ? "string" : "undefined")
          }
        }
        assert.isAbove(matched, 300)
      })
  )

  it.effect("followed until has_more is false, shows each trip once, also those of one time", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { businessId, key } = yield* business(server)
      const sql = yield* SqlClient.SqlClient
      const trips = yield* populate(businessId)
      yield* sql`UPDATE trips SET trip_date = ${new Date(now)} WHERE business_id = ${businessId}`
      for (const filter of ["", "&filter=upcoming"]) {
        const seen: Array<number> = []
        for (let page = 1, more = true; more; page++) {
          const answer = yield* server.send("GET", `/trips?page=${page}${filter}`, { credential: key })
          seen.push(...records(answer).map(({ trip_id }) => Number(trip_id)))
          more = answer.body.meta?.pagination?.["has_more"] === true
        }
        const inOrder = trips.map(({ trip_id }) => trip_id).sort((one, other) => one - other)
        assert.deepStrictEqual(seen, filter === "" ? inOrder.toReversed() : inOrder)
      }
    })
  )

  it.effect("read by its cursor shows each unchanged trip once, while others are added and removed", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { businessId, key } = yield* business(server)
      const sql = yield* SqlClient.SqlClient
      for (const filter of ["previous", "upcoming"] as const) {
        yield* sql`UPDATE trips SET deleted_at = now() WHERE business_id = ${businessId}`
        const trips = yield* populate(businessId, filter)
        const standing = expected(
          trips.filter(({ trip_id }) => trip_id % 7 !== 0),
          { filter }
        )
        const seen: Array<number> = []
        for (let cursor: string | undefined, page = 1; page === 1 || cursor !== undefined; page++) {
          const query = cursor === undefined ? "" : `&cursor=${encodeURIComponent(cursor)}`
          const answer = yield* server.send("GET", `/trips?filter=${filter}${query}`, { credential: key })
          seen.push(...records(answer).map(({ trip_id }) => Number(trip_id)))
          const pagination = answer.body.meta?.pagination
          const next = pagination?.["next_cursor"]
          cursor = typeof next === "string" ? next : undefined
          assert.deepStrictEqual(
            [pagination?.["page"], pagination?.["has_more"]],
            [page, cursor !== undefined]
          )
          assert.strictEqual(pagination?.["total"] === undefined, page > 1)
          // Trips are added anywhere in the order, and some of the first are removed.
          yield* populate(businessId, `${filter}-${page}`, 40)
          yield* sql`
            UPDATE trips SET deleted_at = now()
            WHERE business_id = ${businessId} AND trip_id = ANY(${trips.map(({ trip_id }) => trip_id)})
              AND trip_id % 7 = 0 AND trip_id % ${page} = 0`
        }
        assert.strictEqual(new Set(seen).size, seen.length)
        const stood = new Set(standing)
        assert.deepStrictEqual(
          seen.filter((id) => stood.has(id)),
          standing
        )
      }
    })
  )

  it.effect("refuses a cursor that it did not return, and a cursor together with a page", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { businessId, key } = yield* business(server)
      yield* populate(businessId)
      const first = yield* server.send("GET", "/trips", { credential: key })
      const cursor = String(first.body.meta?.pagination?.["next_cursor"])
      for (const query of ["cursor=", "cursor=guessed", `cursor=${cursor}%20`, `page=2&cursor=${cursor}`])
        assert.deepStrictEqual(
          refusedAs(
            yield* server.send("GET", `/trips?${query}`, { credential: key }),
            422,
            "invalid_request"
          ),
          [{ field: "cursor", issue: "invalid" }],
          query
        )
    })
  )

  it.effect("has 20 trips a page, whatever `per_page` is", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { businessId, key } = yield* business(server)
      yield* populate(businessId)
      const answer = yield* server.send("GET", "/trips?per_page=100", { credential: key })
      assert.lengthOf(records(answer), 20)
      assert.strictEqual(answer.body.meta?.pagination?.["per_page"], 20)
    })
  )

  it.effect("of a business without trips is empty", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { key } = yield* business(server)
      const answer = yield* server.send("GET", "/trips", { credential: key })
      assert.deepStrictEqual(records(answer), [])
      assert.deepStrictEqual(answer.body.meta?.pagination, {
        page: 1,
        per_page: 20,
        count: 0,
        total: 0,
        total_pages: 0,
        has_more: false
      })
    })
  )

  it.effect("totals are exact up to 1,000 and absent beyond; has_more is exact in either case", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const sql = yield* SqlClient.SqlClient
      const { businessId, key } = yield* business(server)
      const insert = (first: number, last: number) => sql`
        INSERT INTO trips (business_id, reference, status, payment_status, trip_type, trip_date, pickup_address,
                           dropoff_address, customer_name, currency, created_at, updated_at)
        SELECT ${businessId}, 'TR-' || n, 'confirmed', 'unpaid', 'transfer', '2026-11-20'::timestamptz, 'a', 'b', 'c',
               'USD', now(), now()
        FROM generate_series(${first}::int, ${last}::int) AS n`
      const page = (number: number) =>
        Effect.map(server.send("GET", `/trips?page=${number}`, { credential: key }), ({ body }) => {
          const { next_cursor: _, ...pagination } = body.meta?.pagination ?? {}
          return pagination
        })
      yield* insert(1, 1000)
      const reported = { per_page: 20, total: 1000, total_pages: 50 }
      assert.deepStrictEqual(yield* page(50), { ...reported, page: 50, count: 20, has_more: false })
      assert.deepStrictEqual(yield* page(51), { ...reported, page: 51, count: 0, has_more: false })
      yield* insert(1001, 1001)
      const untold = { per_page: 20 }
      assert.deepStrictEqual(yield* page(1), { ...untold, page: 1, count: 20, has_more: true })
      assert.deepStrictEqual(yield* page(50), { ...untold, page: 50, count: 20, has_more: true })
      assert.deepStrictEqual(yield* page(51), { ...untold, page: 51, count: 1, has_more: false })
      assert.deepStrictEqual(yield* page(52), { ...untold, page: 52, count: 0, has_more: false })
    })
  )

  it.effect.each([
    ["page=0", "page", "out_of_range"],
    ["page=-1", "page", "out_of_range"],
    ["page=1000000000", "page", "out_of_range"],
    ["status=assigned", "status", "unknown_value"],
    ["payment_status=free", "payment_status", "unknown_value"],
    ["filter=past", "filter", "unknown_value"],
    ["date_from=2026-02-30", "date_from", "invalid"],
    ["date_to=tomorrow", "date_to", "invalid"],
    ["date_from=2026-11-21&date_to=2026-11-20", "date_to", "out_of_range"]
  ] as const)("refuses ?%s: %s is %s", ([query, field, issue]) =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { key } = yield* business(server)
      assert.deepStrictEqual(
        refusedAs(yield* server.send("GET", `/trips?${query}`, { credential: key }), 422, "invalid_request"),
        [{ field, issue }]
      )
    })
  )

  it.effect("refuses a page that is no whole number", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { key } = yield* business(server)
      for (const page of ["1.5", "x", "", "NaN", "Infinity", "1&page=2"]) {
        const answer = yield* server.send("GET", `/trips?page=${page}`, { credential: key })
        const details = refusedAs(answer, 422, "invalid_request")
        assert.deepStrictEqual(
          details?.map(({ field }) => field),
          ["page"]
        )
      }
    })
  )

  it.effect("names every wrong parameter at once", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { key } = yield* business(server)
      const details = refusedAs(
        yield* server.send("GET", "/trips?status=x&date_from=x&page=0", { credential: key }),
        422,
        "invalid_request"
      )
      assert.deepStrictEqual(
        details?.map(({ field }) => field),
        ["status", "date_from", "page"]
      )
    })
  )
})
