import { assert, layer as withLayer } from "@effect/vitest"
import { Context, Effect, Layer, Redacted } from "effect"
import { layer } from "../../persistence/src/sql/connections/PgClient.ts"
import { PlainWrites } from "../../persistence/src/sql/schema/WriteForm.ts"
import { tables } from "../../persistence/src/migrations/Tables.ts"
import { citusFaults } from "../../../test/support/CitusRules.ts"
import { citusExceptions } from "../../../test/support/CitusExceptions.ts"
import { notBound, statementFaults } from "../../../test/support/StatementRules.ts"
import { TestDatabase } from "../../../test/support/TestDatabase.ts"
import { isPerNode } from "../../../scripts/statements/Certification.ts"
import { differences, readRecord } from "../../../scripts/statements/Record.ts"
import { runCommands } from "./support/DirectStatements.ts"
import { collecting, everyRoom, rooms } from "./support/EveryRoute.ts"
import { isOfSeveral, ofAllBusinesses, ofSeveralBusinesses } from "./support/SeveralBusinesses.ts"
import { PortsOn } from "./support/TestPorts.ts"
import { openServer } from "./support/TestServer.ts"

/** The tables of businesses, also as all of their generations. */
const ofBusinesses = new Set(
  tables.flatMap(({ history, kind, name }) =>
    kind === "business" ? [name, ...(history === undefined ? [] : [history])] : []
  )
)

const kinds = new Map(
  tables.flatMap(({ history, kind, name }) => [
    [name, kind] as const,
    ...(history === undefined ? [] : [[history, kind] as const])
  ])
)

/** The requests of each room, for one business, and the statements that they have run so far. */
class Requests extends Context.Service<Requests>()("test/Requests", {
  make: Effect.gen(function* () {
    const { direct, proxy, url } = yield* TestDatabase.proxied
    // The statements of a distributed database, since these are its rules.
    const context = yield* Layer.build(
      PortsOn.pipe(
        Layer.provideMerge(layer({ url }).pipe(Layer.orDie)),
        Layer.provide(Layer.succeed(PlainWrites, true))
      )
    )
    const failed: Array<string> = []
    const server = yield* Effect.provideContext(openServer(), context)
    const ofRoom = yield* Effect.provideContext(everyRoom(collecting(server, failed)), context)
    const statements = new Set<string>()
    const ofCommands = new Set<string>()
    let collected = statements
    proxy.passage = (statement) => {
      collected.add(statement)
      return "pass"
    }
    return {
      failed,
      statements,
      ofCommands,
      commands: Effect.suspend(() => {
        collected = ofCommands
        return Effect.provideContext(runCommands(Redacted.value(direct)), context)
      }),
      ofRoom: (room: string) => Effect.provideContext(ofRoom(room), context)
    }
  })
}) {}

// A comment ends with its line, so that the original is parsed.
const onOneLine = (statement: string) => statement.replaceAll(/\s+/gu, " ")

const checked = new Set<string>()

withLayer(Layer.effect(Requests, Requests.make), { timeout: 120_000 })(
  "the statements of requests bind each table of a business by the business's id, and update without volatile functions",
  (it) => {
    for (const room of rooms)
      it.effect(`of ${room}`, () =>
        Effect.gen(function* () {
          const { ofRoom, statements } = yield* Requests
          yield* ofRoom(room)
          const found: Array<string> = []
          for (const statement of statements) {
            const text = onOneLine(statement)
            if (checked.has(statement) || isOfSeveral(text)) continue
            checked.add(statement)
            const faults = yield* Effect.promise(() =>
              statementFaults(statement, (name) => ofBusinesses.has(name))
            )
            if (faults.length > 0) found.push(`${faults.join("; ")}: ${text}`)
          }
          assert.deepStrictEqual(found, [])
        })
      )

    it.effect("are more than fifty, and among them are the exempted ones", () =>
      Effect.gen(function* () {
        const { statements } = yield* Requests
        assert.isAbove(checked.size, 50)
        const texts = [...statements].map(onOneLine)
        for (const { about, holds } of ofSeveralBusinesses)
          assert.isTrue(
            texts.some((text) => text.includes(holds)),
            about
          )
      })
    )

    it.effect(
      "and all other recorded ones break no rule of Citus, beside the listed exceptions, each of which is still needed",
      () =>
        Effect.gen(function* () {
          const { statements } = yield* Requests
          const found: Array<string> = []
          const needed = new Set<string>()
          const others = readRecord().filter((entry) => !entry.origins.includes("requests"))
          for (const statement of [...statements, ...others.map(({ text }) => text)]) {
            const text = onOneLine(statement)
            // Each node runs it over its own rows.
            if (isPerNode({ text })) continue
            const reachesNodes = ofSeveralBusinesses.some(({ holds }) => text.includes(holds))
            const rules = yield* Effect.promise(() =>
              citusFaults(statement, (name) => kinds.get(name), reachesNodes)
            )
            for (const rule of rules) {
              const exception = citusExceptions[rule].find(({ holds }) => text.includes(holds))
              if (exception === undefined) found.push(`${rule}: ${text}`)
              else needed.add(`${rule}: ${exception.holds}`)
            }
          }
          assert.deepStrictEqual(found, [])
          const listed = Object.entries(citusExceptions).flatMap(([rule, exceptions]) =>
            exceptions.map(({ holds }) => `${rule}: ${holds}`)
          )
          assert.sameMembers([...needed], listed)
        })
    )

    it.effect(
      "and so do all recorded ones of ports, beside the listed ones that are about all businesses, each of which is there",
      () =>
        Effect.gen(function* () {
          const found: Array<string> = []
          const listed = Object.values(ofAllBusinesses).flat()
          const needed = new Set<string>()
          for (const { origins, text } of readRecord()) {
            if (!origins.includes("ports") || isPerNode({ text }) || isOfSeveral(text)) continue
            const faults = yield* Effect.promise(() =>
              statementFaults(text, (name) => ofBusinesses.has(name))
            )
            const unbound = faults.filter((fault) => fault.endsWith(notBound))
            if (unbound.length === 0) continue
            const holds = listed.find((part) => text.includes(part))
            if (holds === undefined) found.push(`${unbound.join("; ")}: ${text}`)
            else needed.add(holds)
          }
          assert.deepStrictEqual(found, [])
          assert.sameMembers([...needed], listed)
        })
    )

    it.effect("are in the record of statements: npm run statements:write", () =>
      Effect.gen(function* () {
        const { statements } = yield* Requests
        assert.deepStrictEqual(differences("requests", statements), [])
      })
    )

    it.effect("of commands and workers are in the record too, where they read beside the ports", () =>
      Effect.gen(function* () {
        const { commands, ofCommands } = yield* Requests
        yield* commands
        assert.deepStrictEqual(differences("commands", ofCommands), [])
      })
    )

    it.effect("belong to no request that ends with an internal error", () =>
      Effect.gen(function* () {
        const { failed } = yield* Requests
        assert.deepStrictEqual(failed, [])
      })
    )
  }
)
