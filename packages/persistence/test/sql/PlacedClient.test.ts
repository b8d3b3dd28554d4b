/**
 * One database stands for the coordinator and for the nodes: beside the tables of Livery and an emulated catalogue of Citus it
 * has shards of some tables. Rows of the shards differ from those of the tables, so that an answer says which was read.
 */
import { assert, it } from "@effect/vitest"
import { Cause, Effect, Exit, Redacted, Result } from "effect"
import { SqlClient } from "effect/sql"
import { citusCatalogue } from "../../../../test/support/CitusCatalogue.ts"
import { administer, TestDatabase } from "../../../../test/support/TestDatabase.ts"
import { readConnectionUrl } from "../../src/sql/connections/ConnectionUrl.ts"
import { layer as pgLayer } from "../../src/sql/connections/PgClient.ts"
import { businessHash } from "../../src/sql/places/BusinessHash.ts"
import { layer as placedLayer } from "../../src/sql/places/PlacedClient.ts"
import { readCopies, readShards } from "../../src/sql/places/Shards.ts"
import { distribute } from "../../src/sql/schema/Distribution.ts"

const here = 1
const business = 1
const others = Array.from({ length: 100 }, (_, index) => index + 2)

const driver = (table: string, businessId: number, name: string) => `
  INSERT INTO ${table} (business_id, name, created_at, updated_at) VALUES (${businessId}, '${name}', now(), now())`

/** A distributed database whose first business is on the node that the database stands for. */
const distributed = Effect.gen(function* () {
  const { url } = yield* TestDatabase.create
  const run = (statement: string) => administer(Redacted.value(url), statement)
  const { hosts } = Result.getOrThrow(readConnectionUrl(Redacted.value(url)))
  yield* run(citusCatalogue)
  yield* run(`UPDATE pg_dist_node SET nodename = '${hosts[0].name}', nodeport = ${hosts[0].port}`)
  const { copies, places } = yield* Effect.gen(function* () {
    yield* distribute()
    return { copies: yield* readCopies, places: yield* readShards }
  }).pipe(Effect.provide(pgLayer({ url })))
  const placeOf = (id: number) =>
    places.find(({ greatest, least }) => least <= businessHash(id) && businessHash(id) <= greatest)
  const place = placeOf(business)
  const shard = place?.names.get("drivers") ?? ""
  const settings = copies.get("platform_settings") ?? ""
  const elsewhere = others.find((id) => placeOf(id) !== place) ?? 0
  yield* run(`
    UPDATE pg_dist_placement SET groupid = CASE WHEN shardid IN (
      SELECT s.shardid FROM pg_dist_shard s WHERE s.shardminvalue = '${place?.least}'
    ) THEN ${here} ELSE 2 END WHERE groupid IN (1, 2);
    CREATE TABLE pg_dist_local_group (groupid integer);
    INSERT INTO pg_dist_local_group VALUES (${here});
    INSERT INTO businesses (business_id, business_name, business_email, vendor_slug, subscription_plan_id, created_at, updated_at)
    OVERRIDING SYSTEM VALUE
    SELECT id, 'Ada Cars', 'ada@example.org', 'ada-' || id, 1, now(), now() FROM unnest('{${business}, ${elsewhere}}'::bigint[]) AS id;
    CREATE TABLE ${shard} (LIKE drivers INCLUDING ALL);
    CREATE TABLE ${settings} (LIKE platform_settings);
    ${driver("drivers", business, "of the coordinator")};
    ${driver("drivers", elsewhere, "of the coordinator")};
    ${driver(shard, business, "of the node")};
    INSERT INTO ${settings} (setting_key, value, updated_at) VALUES ('a copy', '1', now())`)
  const { port } = hosts[0]
  return { url, run, shard, elsewhere, port }
})

const nameOf = (id: number) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.map(
      sql<{ name: string }>`SELECT drivers.name FROM drivers WHERE business_id = ${id}`,
      ([row]) => row?.name
    )
  )

/** Repeats a read until the catalogue is known. */
const placed = Effect.repeat(nameOf(business), {
  until: (name) => name === "of the node"
})

const withPlaces = <A, E>(
  body: (database: Effect.Success<typeof distributed>) => Effect.Effect<A, E, SqlClient.SqlClient>
) =>
  Effect.flatMap(distributed, (database) =>
    Effect.andThen(placed, body(database)).pipe(Effect.provide(placedLayer({ url: database.url })))
  ).pipe(Effect.scoped)

it.live("a transaction, and a write outside of one, run through the coordinator", () =>
  withPlaces(() =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      assert.strictEqual(yield* sql.withTransaction(nameOf(business)), "of the coordinator")
      yield* sql`UPDATE drivers SET name = ${"changed"} WHERE business_id = ${business}`
      assert.strictEqual(yield* nameOf(business), "of the node")
      assert.strictEqual(yield* sql.withTransaction(nameOf(business)), "changed")
    })
  )
)

it.live("a statement that reads copied tables only reads the coordinator's copies", () =>
  withPlaces(() =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const rows = yield* sql`SELECT setting_key FROM platform_settings WHERE setting_key = 'a copy'`
      assert.strictEqual(rows.length, 1)
    })
  )
)

it.live("once its shards are on another node, a business is read through the coordinator at once", () =>
  withPlaces(({ run }) =>
    Effect.gen(function* () {
      yield* run(`UPDATE pg_dist_placement SET groupid = 2`)
      assert.strictEqual(yield* nameOf(business), "of the coordinator")
    })
  )
)

it.live("without its shard, a business is read through the coordinator", () =>
  withPlaces(({ run, shard }) =>
    Effect.gen(function* () {
      yield* run(`DROP TABLE ${shard}`)
      assert.strictEqual(yield* nameOf(business), "of the coordinator")
    })
  )
)

it.live(
  "a node that is down refuses its own businesses only, and its new address is used without a restart",
  () =>
    withPlaces(({ elsewhere, port, run }) =>
      Effect.gen(function* () {
        yield* run(`UPDATE pg_dist_node SET nodeport = 1 WHERE groupid = ${here}`)
        const down = yield* Effect.repeat(Effect.exit(nameOf(business)), { until: Exit.isFailure })
        assert.match(Exit.isFailure(down) ? Cause.pretty(down.cause) : "", /ConnectionError|connect/u)
        assert.strictEqual(yield* nameOf(elsewhere), "of the coordinator")
        yield* run(`UPDATE pg_dist_node SET nodeport = ${port}`)
        yield* Effect.repeat(Effect.exit(nameOf(business)), { until: Exit.isSuccess })
        assert.strictEqual(yield* nameOf(business), "of the node")
      })
    )
)

it.live("a plain database is read itself", () =>
  Effect.gen(function* () {
    const { url } = yield* TestDatabase.create
    yield* Effect.gen(function* () {
      for (let read = 0; read < 20; read++) assert.isUndefined(yield* nameOf(business))
    }).pipe(Effect.provide(placedLayer({ url })))
  }).pipe(Effect.scoped)
)
