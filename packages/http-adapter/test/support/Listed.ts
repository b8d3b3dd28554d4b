/** Lists of cars, drivers and customers, and functions that change their records. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { company } from "./Fleet.ts"
import type { TestServer } from "./TestServer.ts"

/**
 * An expected record of a list. Records are ordered by `key`, from 0 to 9, then by `id`. `shown` is its id in
 * responses.
 */
export interface Listed {
  readonly id: number
  readonly shown: number
  readonly key: number
  /** The order of records with the same key, if it is not that of `id`. */
  readonly tie?: number
  readonly facts: Readonly<Record<string, unknown>>
}

export type Ids = ReadonlyArray<number>
type InSql<A> = Effect.Effect<A, unknown, SqlClient.SqlClient>

/** A list of one business, and the functions that change its records. */
export interface TestList {
  readonly path: string
  readonly credential: string
  readonly filters?: Readonly<Record<string, ReadonlyArray<string>>>
  /** Makes a record for each key, and some that the list never contains. Returns those that it may contain. */
  readonly add: (keys: Ids) => InSql<ReadonlyArray<Listed>>
  /** Removes records; absent if they are never removed. */
  readonly remove?: (ids: Ids) => InSql<unknown>
  /** Gives records another key; absent if their key never changes. */
  readonly move?: (ids: Ids, key: number) => InSql<unknown>
}

/** Rewrites every second row, so that the order on the disk is not that of the ids. */
export const reorderOnDisk = Effect.fnUntraced(function* (table: string, id: string) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`UPDATE ${sql(table)} SET business_id = business_id WHERE ${sql(id)} % 2 = 0`
})

/** Drops the sorted indexes. A statement without ORDER BY then returns another order, and its test fails. */
export const withoutSortedIndexes = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const sorted = yield* sql<{ name: string }>`
    SELECT c.relname AS name FROM pg_index i
    JOIN pg_class c ON c.oid = i.indexrelid JOIN pg_am m ON m.oid = c.relam AND m.amname = 'btree'
    WHERE c.relnamespace = 'public'::regnamespace AND NOT i.indisunique`
  yield* Effect.forEach(sorted, ({ name }) => sql`DROP INDEX ${sql(name)}`)
  yield* sql`ALTER TABLE trip_changes DROP CONSTRAINT IF EXISTS trip_changes_pkey`
})

/** Changes some rows of a table. */
export const set = (table: string, id: string, change: string) => (ids: Ids) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql`UPDATE ${sql(table)} SET ${sql.literal(change)} WHERE ${sql(id)} = ANY(${ids}::bigint[])`
  )

/** Sorted in every collation. */
export const names = ["Abe", "Ada", "Ada Lane", "Adam", "Bob", "Cy", "Dan Adair", "Eve", "Fay", "Zoë Ada"]
const nameOf = (key: number) => names[key] ?? "Zoë"

/** The list of cars or of drivers. */
export const fleet = (table: "cars" | "drivers", id: string) =>
  Effect.fnUntraced(function* (server: TestServer) {
    const { businessId, key: credential } = yield* company(server)
    const add = Effect.fnUntraced(function* (keys: Ids) {
      const sql = yield* SqlClient.SqlClient
      const made = yield* sql<{ id: number; name: string; active: boolean; gone: boolean }>`
        INSERT INTO ${sql(table)} (business_id, name, active, created_at, updated_at, deleted_at)
        SELECT ${businessId}, name, n % 3 <> 0, now(), now(), CASE WHEN n % 11 = 0 THEN now() END
        FROM unnest(${keys.map(nameOf)}::text[]) WITH ORDINALITY AS k (name, n)
        RETURNING ${sql(id)} AS id, name, active, deleted_at IS NOT NULL AS gone`
      yield* reorderOnDisk(table, id)
      return made
        .filter(({ gone }) => !gone)
        .map(({ active, id, name }) => ({ id, shown: id, key: names.indexOf(name), facts: { active } }))
    })
    const listing: TestList = {
      path: `/${table}`,
      credential,
      filters: { active: ["true", "false"] },
      add,
      remove: set(table, id, "deleted_at = now()"),
      move: (ids, key) => set(table, id, `name = '${nameOf(key)}'`)(ids)
    }
    return listing
  })

/** The list of customers. They are made through the API, which computes the words that find them. */
export const customers = Effect.fnUntraced(function* (server: TestServer) {
  const { customer, key: credential } = yield* company(server)
  let number = 0
  const add = Effect.fnUntraced(function* (keys: Ids) {
    const made = yield* Effect.forEach(keys, (key) => {
      const n = (number += 1)
      const given = {
        name: nameOf(key),
        email: `ann.${n}@a${n % 4}.example`,
        phone: `+41 79 ${1000 + n * 37}`
      }
      return Effect.map(customer(given), ({ customer_id }) => ({
        id: Number(customer_id),
        key,
        facts: given
      }))
    })
    const gone = made.filter((_, index) => index % 11 === 10)
    yield* set("customers", "customer_id", "deleted_at = now()")(gone.map(({ id }) => id))
    yield* reorderOnDisk("customers", "customer_id")
    return made.filter((one) => !gone.includes(one)).map((one) => ({ ...one, shown: one.id }))
  })
  const listing: TestList = {
    path: "/customers",
    credential,
    filters: {
      search: ["ada", "ADA lan", "a3", "zoe eve", "zoe", "ann.7@", "111", "079 1037", "nobody", "-"]
    },
    add,
    remove: set("customers", "customer_id", "deleted_at = now()"),
    move: (ids, key) => set("customers", "customer_id", `name = '${nameOf(key)}'`)(ids)
  }
  return listing
})
