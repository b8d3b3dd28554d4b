import { assert, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { layer } from "../../persistence/src/sql/connections/PgClient.ts"
import { PlainWrites } from "../../persistence/src/sql/statements/WriteForm.ts"
import { eventuallyHolds } from "../../../test/support/Eventually.ts"
import {
  forgetReads,
  partitionTables,
  readBesideBusinesses,
  readsOf
} from "../../../test/support/Partitioned.ts"
import { TestDatabase } from "../../../test/support/TestDatabase.ts"
import { collecting, everyRoom } from "./support/EveryRoute.ts"
import { PortsOn } from "./support/TestPorts.ts"
import { openServer } from "./support/TestServer.ts"

/** The requests of one business about its trips, its money, its records and its feed. */
const ofOneBusiness = [
  "settings",
  "cars",
  "drivers",
  "customers",
  "fares",
  "products",
  "bookings",
  "bookingBilling",
  "quotes",
  "trips",
  "invoices",
  "creditNotes",
  "letters",
  "remittances",
  "bankStatements",
  "tripBilling",
  "bookExports",
  "statements",
  "webhooks",
  "events",
  "dispatch",
  "reports"
]

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
            for (const room of ofOneBusiness) yield* Effect.provideContext(ofRoom(room), context)
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
