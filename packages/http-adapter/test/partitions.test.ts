import { assert, it } from "@effect/vitest"
import { Effect, Layer, Redacted } from "effect"
import { Client } from "pg"
import { layer } from "../../persistence/src/sql/connections/PgClient.ts"
import { prepared } from "../../../scripts/statements/Certification.ts"
import { readRecord } from "../../../scripts/statements/Record.ts"
import { PlainWrites } from "../../persistence/src/sql/schema/WriteForm.ts"
import { eventuallyHolds } from "../../../test/support/Eventually.ts"
import {
  forgetReads,
  partitionTables,
  readBesideBusinesses,
  readsOf
} from "../../../test/support/Partitioned.ts"
import { TestDatabase } from "../../../test/support/TestDatabase.ts"
import { collecting, everyRoom, rooms } from "./support/EveryRoute.ts"
import { isOfSeveral } from "./support/SeveralBusinesses.ts"
import { PortsOn } from "./support/TestPorts.ts"
import { openServer } from "./support/TestServer.ts"

/** Tables that statements about several businesses read, as `statements.test.ts` lists them. */
const readAcross = new Set([
  // A session begins with the businesses that its account drives for.
  "drivers",
  // The sequencer gives positions to the events of all businesses.
  "events"
])

it.effect(
  "on a schema that is partitioned by business, the requests of one business read the partitions of that business only",
  () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { url } = yield* TestDatabase.create
        // The session that partitions reports its own reads when it ends, and they do not count.
        yield* Effect.scoped(
          Effect.flatMap(Layer.build(layer({ url })), (context) =>
            Effect.provideContext(partitionTables, context)
          )
        )
        const outside = yield* Layer.build(layer({ url }))
        yield* Effect.provideContext(forgetReads, outside)
        const failed: Array<string> = []
        yield* Effect.scoped(
          Effect.gen(function* () {
            const context = yield* Layer.build(
              PortsOn.pipe(
                Layer.provideMerge(layer({ url }).pipe(Layer.orDie)),
                Layer.provide(Layer.succeed(PlainWrites, true))
              )
            )
            const server = yield* Effect.provideContext(openServer(), context)
            const ofRoom = yield* Effect.provideContext(
              everyRoom(collecting(server, failed), "reading"),
              context
            )
            for (const room of rooms) yield* Effect.provideContext(ofRoom(room), context)
          })
        )
        // A session reports its reads when it ends.
        yield* eventuallyHolds(
          Effect.map(Effect.provideContext(readsOf("trips"), outside), (reads) => reads > 100)
        )
        assert.deepStrictEqual(failed, [])
        assert.deepStrictEqual(
          (yield* Effect.provideContext(readBesideBusinesses, outside)).filter(
            (name) => !readAcross.has(name)
          ),
          []
        )
      })
    ),
  300_000
)

/** The partitions that a plan reads or writes, by their numbers. */
const partitionsOf = (plan: string) => new Set([...plan.matchAll(/_p(\d+)\b/gu)].map(([, number]) => number))

it.effect(
  "on a schema that is partitioned by business, the plan of each statement of a request has one partition of each table",
  () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { url } = yield* TestDatabase.create
        yield* Effect.flatMap(Layer.build(layer({ url })), (context) =>
          Effect.provideContext(partitionTables, context)
        )
        const client = yield* Effect.acquireRelease(
          Effect.promise(async () => {
            const opened = new Client({ connectionString: Redacted.value(url) })
            await opened.connect()
            return opened
          }),
          (opened) => Effect.promise(() => opened.end())
        )
        const query = async (text: string) => (await client.query<Record<string, unknown>>(text)).rows
        const spread: Array<string> = []
        for (const { name, origins, text } of readRecord()) {
          if (!origins.includes("requests")) continue
          const plan = yield* Effect.promise(async () => {
            const call = await prepared(query, text)
            const lines = call === undefined ? [] : await query(`EXPLAIN ${call}`)
            await query("DEALLOCATE ALL")
            return JSON.stringify(lines)
          })
          if (partitionsOf(plan).size > 1 && !isOfSeveral(text)) spread.push(`${name}: ${text}`)
        }
        assert.deepStrictEqual(spread, [])
      })
    ),
  120_000
)
