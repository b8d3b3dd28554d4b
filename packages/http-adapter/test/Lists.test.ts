import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import type { SqlError } from "effect/sql"
import { Ports } from "./support/TestPorts.ts"
import { customers, fleet, type Listed, type TestList, withoutSortedIndexes } from "./support/Listed.ts"
import { board, customerTrips, jobs, locations, timeline } from "./support/ListedTrips.ts"
import { openServer, records, type TestServer } from "./support/TestServer.ts"

type Query = Readonly<Record<string, string>>
type Facts = Listed["facts"]

const always = () => true
const never = () => false

const isToDo = ({ ahead, status }: Facts) =>
  status === "en_route" || (status === "assigned" && ahead === true)

/** The specification of a search, over what the customer's record says. */
const isFound = (facts: Facts, search: string) => {
  const [name = "", email = "", phone = ""] = ["name", "email", "phone"].map((field) => String(facts[field]))
  const fold = (text: string) => text.normalize("NFD").replaceAll(/\p{M}/gu, "").toLowerCase()
  if (search === "-") return false
  if (/^[\d ]+$/u.test(search))
    return phone.replaceAll(/\D/gu, "").includes(search.replaceAll(" ", "").replace(/^0/u, ""))
  const words = [...fold(name).split(" "), ...fold(email).split(/[.@]/u), fold(email)]
  return fold(search)
    .split(" ")
    .every((part) => words.some((word) => word.startsWith(part)))
}

/** Each list: the field with its records' id, the records that a query returns, and whether the latest come first. */
const lists: ReadonlyArray<{
  readonly name: string
  readonly field: string
  readonly open: (server: TestServer) => Effect.Effect<TestList, SqlError.SqlError, Ports>
  readonly isListed: (facts: Facts, query: Query) => boolean
  readonly latestFirst: (query: Query) => boolean
}> = [
  {
    name: "/cars",
    field: "car_id",
    open: fleet("cars", "car_id"),
    isListed: ({ active }, query) => query["active"] === undefined || String(active) === query["active"],
    latestFirst: never
  },
  {
    name: "/drivers",
    field: "driver_id",
    open: fleet("drivers", "driver_id"),
    isListed: ({ active }, query) => query["active"] === undefined || String(active) === query["active"],
    latestFirst: never
  },
  {
    name: "/customers",
    field: "customer_id",
    open: customers,
    isListed: (facts, { search }) => search === undefined || isFound(facts, search),
    latestFirst: never
  },
  {
    name: "/customers/{id}/trips",
    field: "trip_id",
    open: customerTrips,
    isListed: always,
    latestFirst: always
  },
  { name: "/trips/{id}/timeline", field: "change_id", open: timeline, isListed: always, latestFirst: never },
  {
    name: "/dispatch/trips",
    field: "trip_id",
    open: board,
    isListed: ({ day, driver, status }, query) =>
      // Today's board also lists the trips under way of any day.
      (day === (query["date"] ?? "2026-11-20") ||
        (status === "in_progress" && (query["date"] ?? "2026-11-20") === "2026-11-20")) &&
      (query["status"] === undefined ? status !== "cancelled" : status === query["status"]) &&
      (query["driver_id"] === undefined || String(driver) === query["driver_id"]),
    latestFirst: never
  },
  {
    name: "/me/driver/trips",
    field: "trip_id",
    open: jobs,
    isListed: (facts, { filter, status }) =>
      (filter === undefined || isToDo(facts) === (filter === "upcoming")) &&
      (status === undefined || facts["status"] === status),
    latestFirst: ({ filter }) => filter === "previous"
  },
  {
    name: "/drivers/locations",
    field: "assignment_id",
    open: locations,
    isListed: always,
    latestFirst: never
  }
]

/** The keys from 2 to 8, each several times, in another order than the ids. */
const keys = Array.from({ length: 60 }, (_, index) => 2 + ((index * 5) % 7))

const inOrder = (rows: ReadonlyArray<Listed>, latestFirst: boolean) => {
  const ascending = rows.toSorted(
    (one, other) => one.key - other.key || (one.tie ?? one.id) - (other.tie ?? other.id)
  )
  return latestFirst ? ascending.toReversed() : ascending
}

/** The queries with no filter, with each filter alone, and with all combinations. */
const queriesOf = ({ filters = {} }: TestList) =>
  Object.entries(filters).reduce<ReadonlyArray<Query>>(
    (made, [name, values]) =>
      made.flatMap((one) => [one, ...values.map((value) => ({ ...one, [name]: value }))]),
    [{}]
  )

/** Reads a page, and compares it with that page of the expected list. */
const checkPage = Effect.fnUntraced(function* (
  server: TestServer,
  { credential, path }: TestList,
  field: string,
  query: Query,
  page: number,
  perPage: number,
  whole: ReadonlyArray<Listed>
) {
  const asked = `${path}?${new URLSearchParams({ ...query, page: String(page), per_page: String(perPage) })}`
  const answer = yield* server.send("GET", asked, { credential })
  const rows = whole.slice((page - 1) * perPage, page * perPage)
  assert.deepStrictEqual(
    records(answer).map((record) => record[field]),
    rows.map(({ shown }) => shown),
    asked
  )
  const total = whole.length
  const total_pages = Math.ceil(total / perPage)
  assert.deepStrictEqual(
    answer.body.meta?.pagination,
    { page, per_page: perPage, count: rows.length, total, total_pages, has_more: page < total_pages },
    asked
  )
  return rows
})

layer(Ports)("every list, without an index that gives its order", (it) => {
  it.effect.each(lists)(
    "$name agrees with every filter, alone and combined, on every page of different sizes, and ends with an empty one",
    ({ field, isListed, latestFirst, open }) =>
      Effect.gen(function* () {
        yield* withoutSortedIndexes
        const server = yield* openServer()
        const [listing, others] = [yield* open(server), yield* open(server)]
        const made = [...(yield* listing.add(keys.slice(0, 30)))]
        yield* others.add(keys)
        made.push(...(yield* listing.add(keys.slice(30))))
        let fullest = 0
        for (const query of queriesOf(listing)) {
          const whole = inOrder(
            made.filter(({ facts }) => isListed(facts, query)),
            latestFirst(query)
          )
          fullest = Math.max(fullest, whole.length)
          for (const perPage of Object.keys(query).length > 1 ? [7, 100] : [1, 7, 25, 100])
            for (let page = 1; page <= Math.ceil(whole.length / perPage) + 1; page++)
              yield* checkPage(server, listing, field, query, page, perPage, whole)
        }
        assert.isAbove(fullest, 25)
      })
  )
})

layer(Ports)("every list, while it changes", (it) => {
  it.effect.each(lists)(
    "$name shows each unchanged record once and in order, while later records are added and removed and earlier ones change",
    ({ field, isListed, latestFirst, open }) =>
      Effect.gen(function* () {
        const server = yield* openServer()
        const listing = yield* open(server)
        const isDescending = latestFirst({})
        const listed = (rows: ReadonlyArray<Listed>) =>
          inOrder(
            rows.filter(({ facts }) => isListed(facts, {})),
            isDescending
          )
        let whole = listed(yield* listing.add(keys))
        const atFirst = whole.map(({ shown }) => shown)
        const seen: Array<number> = []
        const removed = new Set<number>()
        for (let page = 1; (page - 1) * 7 < whole.length; page++) {
          const rows = yield* checkPage(server, listing, field, {}, page, 7, whole)
          seen.push(...rows.map(({ shown }) => shown))
          const place = rows.at(-1)?.key ?? 0
          const behind = whole.slice(page * 7)
          if (listing.remove !== undefined && behind.length > 7) {
            const going = [behind[0], behind[4], behind.at(-1)].filter((row) => row !== undefined)
            yield* listing.remove(going.map(({ id }) => id))
            for (const { shown } of going) removed.add(shown)
          }
          const isEnough = page > 9 || (isDescending && place < 2)
          const added = isEnough ? [] : yield* listing.add(isDescending ? [place - 1, 0] : [place, 9])
          const moved = new Set(listing.move === undefined ? [] : rows.slice(2, 5).map(({ id }) => id))
          const key = isDescending ? 9 : 1
          yield* listing.move?.([...moved], key) ?? Effect.void
          whole = listed([
            ...whole
              .map((row) => (moved.has(row.id) ? { ...row, key } : row))
              .filter(({ shown }) => !removed.has(shown)),
            ...added
          ])
        }
        assert.strictEqual(new Set(seen).size, seen.length)
        const stood = atFirst.filter((shown) => !removed.has(shown))
        assert.isAbove(stood.length, 20)
        const standing = new Set(stood)
        assert.deepStrictEqual(
          seen.filter((shown) => standing.has(shown)),
          stood
        )
      })
  )
})
