import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { layer } from "../../persistence/src/sql/connections/PgClient.ts"
import { tables } from "../../persistence/src/migrations/Tables.ts"
import { statementFaults } from "../../../test/support/StatementRules.ts"
import { TestDatabase } from "../../../test/support/TestDatabase.ts"
import { everyRoute } from "./support/EveryRoute.ts"
import { PortsOn } from "./support/TestPorts.ts"
import { openServer } from "./support/TestServer.ts"

/** The tables of businesses, also as all of their generations. */
const ofBusinesses = new Set(
  tables.flatMap(({ history, name, of }) =>
    of === "business" ? [name, ...(history === undefined ? [] : [history])] : []
  )
)

/** A statement that runs in the background after events were written. */
const sequencer = "FROM event_sequencer"

/**
 * Statements that are about several businesses at once. A distributed database runs them once per node (batches and
 * followed trips) or on every node (what an account drives).
 */
const ofSeveralBusinesses = [
  { about: "the positions that were reported at about the same time", holds: "INSERT INTO driver_trail" },
  { about: "the trips that are followed", holds: "AS f (business_id, trip_id)" },
  { about: "the businesses that an account drives for", holds: "AS drivers FROM session_families" },
  { about: "whether an account drives for any business", holds: "FROM drivers WHERE user_id" },
  {
    about: "whether a driver's account serves another business",
    holds: "UNION ALL SELECT business_id FROM drivers"
  },
  { about: "the drivers of an erased account", holds: "UPDATE drivers SET user_id = NULL WHERE user_id" },
  { about: "the invitations to an erased account", holds: "DELETE FROM member_invitations WHERE email" },
  { about: "the users of the platform, for super-admins", holds: "FROM business_members m WHERE m.user_id" }
]

describe("the statements of requests", () => {
  it.effect(
    "bind each table of a business by the business's id, and update without volatile functions",
    () =>
      Effect.gen(function* () {
        const { proxy, url } = yield* TestDatabase.proxied
        const statements = new Set<string>()
        const context = yield* Layer.build(PortsOn.pipe(Layer.provideMerge(layer({ url }).pipe(Layer.orDie))))
        yield* Effect.gen(function* () {
          const record = Effect.sync(() => {
            proxy.passage = (statement) => {
              statements.add(statement)
              return "pass"
            }
          })
          yield* everyRoute(yield* openServer(), record)
          assert.isAbove(statements.size, 50)
          const found: Array<string> = []
          // A comment ends with its line, so that the original is parsed.
          const texts = [...statements].map(
            (original) => [original, original.replaceAll(/\s+/gu, " ")] as const
          )
          for (const { about, holds } of ofSeveralBusinesses)
            assert.isTrue(
              texts.some(([, text]) => text.includes(holds)),
              about
            )
          for (const [statement, text] of texts) {
            if (text.includes(sequencer) || ofSeveralBusinesses.some(({ holds }) => text.includes(holds)))
              continue
            const faults = yield* Effect.promise(() =>
              statementFaults(statement, (name) => ofBusinesses.has(name))
            )
            if (faults.length > 0) found.push(`${faults.join("; ")}: ${text}`)
          }
          assert.deepStrictEqual(found, [])
        }).pipe(Effect.provideContext(context))
      }).pipe(Effect.scoped),
    120_000
  )
})
