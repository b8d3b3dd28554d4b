import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { addCitusCatalogue } from "../../../../test/support/CitusCatalogue.ts"
import { TestDatabase } from "../../../../test/support/TestDatabase.ts"
import { tables } from "../../src/migrations/Tables.ts"
import {
  distribute,
  distributeNew,
  distributedNodes,
  distribution,
  distributionPlan
} from "../../src/sql/schema/Distribution.ts"
import { requireUsable } from "../../src/sql/schema/Usability.ts"

/** Runs a test on a database of its own. */
const onOwnDatabase = <A, E>(work: Effect.Effect<A, E, SqlClient.SqlClient>) =>
  Effect.scoped(Effect.provide(work, TestDatabase.layer))

const placed = tables.filter(({ kind }) => kind !== "platform")

describe("the distribution of the tables", () => {
  it.effect("is refused by a database without Citus, which stays as it is", () =>
    onOwnDatabase(
      Effect.gen(function* () {
        const failure = yield* Effect.flip(distribute())
        assert.strictEqual(
          failure.message,
          "The database cannot be distributed, because it lacks the extension citus: install it on the server and run CREATE EXTENSION citus. Nothing was changed"
        )
        assert.deepStrictEqual(yield* distributeNew, [])
        yield* requireUsable
      })
    )
  )

  it.effect(
    "is planned with each copied table and each table of a business, after the tables that it refers to",
    () =>
      onOwnDatabase(
        Effect.gen(function* () {
          const plan = yield* distributionPlan
          const names = plan.flatMap((statement) => /_table\('(\w+)'/u.exec(statement)?.[1] ?? [])
          assert.deepStrictEqual(
            names,
            placed.map(({ history, name }) => history ?? name)
          )
          assert.include(plan, "SELECT create_reference_table('businesses')")
          assert.include(
            plan,
            "SELECT create_distributed_table('trips', 'business_id', colocate_with => 'business_counters')"
          )
        })
      )
  )

  it.effect("places every table by the rules of Citus, and a second run changes nothing", () =>
    onOwnDatabase(
      Effect.gen(function* () {
        yield* addCitusCatalogue
        assert.lengthOf(yield* distribute(), placed.length)
        assert.deepInclude(yield* distribution(), { isDistributed: true, misplaced: [] })
        assert.deepStrictEqual(yield* distributionPlan, [])
        assert.deepStrictEqual(yield* distribute(), [])
        yield* requireUsable
      })
    )
  )

  it.effect("continues after an interruption, beside the tables that have their place", () =>
    onOwnDatabase(
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* addCitusCatalogue
        yield* distribute()
        yield* sql`DELETE FROM pg_dist_partition WHERE logicalrelid IN ('business_counters'::regclass, 'notices'::regclass)`
        assert.include(
          yield* distributionPlan,
          "SELECT create_distributed_table('business_counters', 'business_id', colocate_with => 'member_invitations')"
        )
        assert.deepStrictEqual(yield* distribute(), ["business_counters", "notices"])
        const groups = yield* sql`SELECT DISTINCT colocationid FROM pg_dist_partition WHERE partmethod = 'h'`
        assert.lengthOf(groups, 1)
      })
    )
  )

  it.effect("is refused by Citus if a reference lacks the key", () =>
    onOwnDatabase(
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* addCitusCatalogue
        yield* sql`CREATE UNIQUE INDEX plates ON cars (plate_number)`
        const failure = yield* Effect.flip(distribute())
        assert.match(String(failure), /SqlError/u)
        const { misplaced } = yield* distribution()
        assert.include(
          misplaced.map(({ name }) => name),
          "cars"
        )
      })
    )
  )
})

describe("a distributed database with a table of businesses on one node only", () => {
  it.effect("cannot be used, and the reason names the table", () =>
    onOwnDatabase(
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* addCitusCatalogue
        yield* distribute()
        yield* sql`DELETE FROM pg_dist_partition WHERE logicalrelid = 'notices'::regclass`
        const { reason } = yield* Effect.flip(requireUsable)
        assert.strictEqual(
          reason,
          "The database is distributed, but has notices on one node only: run `livery migrate --distribute`"
        )
        assert.deepStrictEqual(yield* distributeNew, ["notices"])
        yield* requireUsable
      })
    )
  )

  it.effect("can be used before it is distributed at all", () =>
    onOwnDatabase(Effect.andThen(addCitusCatalogue, requireUsable))
  )
})

describe("a distributed database with a node that draws ids beyond 2^53", () => {
  it.effect("cannot be used, and the reason names the node; the node before it can", () =>
    onOwnDatabase(
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* addCitusCatalogue
        yield* distribute()
        yield* sql`UPDATE pg_dist_node SET groupid = 31 WHERE nodename = 'worker-2'`
        yield* requireUsable
        yield* sql`UPDATE pg_dist_node SET groupid = 32 WHERE nodename = 'worker-2'`
        const { reason } = yield* Effect.flip(requireUsable)
        assert.strictEqual(
          reason,
          "The database has nodes whose ids exceed 2^53: worker-2:5432. Move their shards to nodes that were added earlier"
        )
        yield* sql`UPDATE pg_dist_node SET shouldhaveshards = false WHERE nodename = 'worker-2'`
        yield* requireUsable
      })
    )
  )
})

describe("the nodes of a distributed database", () => {
  it.effect("have their shards of the tables of businesses, with sizes", () =>
    onOwnDatabase(
      Effect.gen(function* () {
        yield* addCitusCatalogue
        yield* distribute()
        const nodes = yield* distributedNodes
        assert.deepStrictEqual(
          nodes.map(({ isActive, node }) => ({ isActive, node })),
          [
            { isActive: true, node: "worker-1:5432" },
            { isActive: true, node: "worker-2:5432" }
          ]
        )
        for (const { bytes, shards } of nodes) {
          assert.isAbove(shards, 2 * tables.filter(({ kind }) => kind === "business").length - 1)
          assert.isAbove(bytes, 0)
        }
      })
    )
  )
})
