import { assert, describe, it } from "@effect/vitest"
import { Effect, Logger, Schedule } from "effect"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { extent } from "../../../../test/faults/support/Extent.ts"
import { runningPostmaster } from "../../src/embedded/Postmaster.ts"
import { eventually, openFast, openerProcess, query, testDirectory } from "./TestDirectory.ts"

const serverOf = (directory: string) => runningPostmaster(join(directory, "postgres"))?.pid

// One of these tests starts many processes one after the other, which takes long on a busy machine.
describe("one directory, several processes", { timeout: 180_000 }, () => {
  it.live(
    "four that open an empty directory concurrently make one cluster, and the last one to close stops it",
    () =>
      Effect.gen(function* () {
        const directory = yield* testDirectory
        const processes = yield* Effect.forEach([1, 2, 3, 4], () => openerProcess({ directory }))
        const opened = yield* Effect.forEach(processes, (each) => each.opened, { concurrency: "unbounded" })
        assert.deepStrictEqual(opened.map((each) => each.started).sort(), [
          "created",
          "joined",
          "joined",
          "joined"
        ])
        const answers = yield* Effect.forEach(opened, ({ url }) => query(url, "select 1 as one"))
        assert.strictEqual(answers.flat().length, 4)
        for (const [index, each] of processes.entries()) {
          assert.notStrictEqual(serverOf(directory), undefined, `before ${index} of 4 left`)
          assert.strictEqual(yield* each.close, 0)
        }
        assert.strictEqual(serverOf(directory), undefined)
      })
  )

  it.live("one that opens while another closes gets a server that is not stopped", () =>
    Effect.gen(function* () {
      const directory = yield* testDirectory
      let leaving = yield* openerProcess({ directory })
      yield* leaving.opened
      for (let round = 0; round < extent(10, 4); round++) {
        const coming = yield* openerProcess({ directory })
        const [{ url }] = yield* Effect.all([coming.opened, leaving.close], { concurrency: "unbounded" })
        assert.deepStrictEqual(yield* query(url, `select ${round} as round`), [{ round }])
        leaving = coming
      }
      yield* leaving.close
      assert.strictEqual(serverOf(directory), undefined)
    })
  )

  it.live("concurrent openings and closings within one process are as safe", () =>
    Effect.gen(function* () {
      const directory = yield* testDirectory
      yield* Effect.forEach(
        Array.from({ length: 12 }, (_, index) => index),
        (index) =>
          Effect.scoped(
            Effect.gen(function* () {
              const { url } = yield* openFast({ directory })
              assert.deepStrictEqual(yield* query(url, `select ${index} as index`), [{ index }])
            })
          ),
        { concurrency: 4 }
      )
      assert.strictEqual(serverOf(directory), undefined)
    })
  )

  it.live.each(["SIGINT", "SIGTERM", "SIGHUP"] as const)(
    "%s ends a program without a listener of its own, and its server with it",
    (signal) =>
      Effect.gen(function* () {
        const directory = yield* testDirectory
        const program = yield* openerProcess({ directory })
        yield* program.opened
        assert.isDefined(serverOf(directory))
        assert.strictEqual(yield* program.endBy(signal), signal)
        assert.isUndefined(serverOf(directory))
      })
  )

  it.live("a signal that ends one program leaves the server to another", () =>
    Effect.gen(function* () {
      const directory = yield* testDirectory
      const [one, other] = [yield* openerProcess({ directory }), yield* openerProcess({ directory })]
      yield* one.opened
      const { url } = yield* other.opened
      assert.strictEqual(yield* one.endBy("SIGTERM"), "SIGTERM")
      assert.deepStrictEqual(yield* query(url, "select 1 as one"), [{ one: 1 }])
      assert.strictEqual(yield* other.close, 0)
      assert.isUndefined(serverOf(directory))
    })
  )

  it.live("the server of a killed process is joined with all that was committed, then stopped", () =>
    Effect.gen(function* () {
      const directory = yield* testDirectory
      const killed = yield* openerProcess({ directory })
      const { url } = yield* killed.opened
      yield* query(url, "create table trips as select 7 as id")
      const server = serverOf(directory)
      yield* killed.kill
      yield* Effect.scoped(
        Effect.gen(function* () {
          const { started, url } = yield* openFast({ directory })
          assert.strictEqual(started, "joined")
          assert.strictEqual(serverOf(directory), server)
          assert.deepStrictEqual(yield* query(url, "select id from trips"), [{ id: 7 }])
        })
      )
      assert.strictEqual(serverOf(directory), undefined)
    })
  )

  it.live("a server that was killed with its process is recovered by the next to open", () =>
    Effect.gen(function* () {
      const directory = yield* testDirectory
      const killed = yield* openerProcess({ directory })
      const { url } = yield* killed.opened
      yield* query(url, "create table trips as select 7 as id")
      const server = serverOf(directory) ?? 0
      yield* killed.kill
      process.kill(server, "SIGKILL")
      const next = yield* openFast({ directory })
      assert.strictEqual(next.started, "existing")
      assert.deepStrictEqual(yield* query(next.url, "select id from trips"), [{ id: 7 }])
    })
  )

  it.live("a killed server is restarted at the same address by the processes that have it open", () =>
    Effect.gen(function* () {
      const directory = yield* testDirectory
      const other = yield* openerProcess({ directory })
      yield* other.opened
      const { url } = yield* openFast({ directory })
      yield* query(url, "create table trips as select 7 as id")
      const server = serverOf(directory) ?? 0
      process.kill(server, "SIGKILL")
      const holders =
        "select count(*)::int as n from pg_stat_activity where application_name like 'livery holder %'"
      const count = yield* query(url, holders).pipe(
        Effect.catchDefect((cause) => Effect.fail(cause)),
        Effect.filterOrFail(([row]) => row?.["n"] === 2),
        Effect.retry({ times: 500, schedule: Schedule.spaced("20 millis") }),
        Effect.orDie
      )
      assert.notStrictEqual(serverOf(directory), server)
      assert.deepStrictEqual(count, [{ n: 2 }])
      assert.deepStrictEqual(yield* query(url, "select id from trips"), [{ id: 7 }])
    })
  )

  it.live("a server that cannot be started again is logged with the reason, until it can be", () =>
    Effect.gen(function* () {
      const directory = yield* testDirectory
      const lines: Array<string> = []
      const capture = Logger.make((options) => void lines.push(Logger.formatJson.log(options)))
      yield* Effect.gen(function* () {
        const { url } = yield* openFast({ directory })
        writeFileSync(join(directory, "postgres", "PG_VERSION"), "15\n")
        process.kill(serverOf(directory) ?? 0, "SIGKILL")
        yield* eventually("the reason is logged", () => lines.length > 0)
        assert.include(lines[0], "the embedded database ended and could not be started again")
        assert.include(lines[0], "PostgreSQL 15")
        writeFileSync(join(directory, "postgres", "PG_VERSION"), "18\n")
        yield* eventually("the server runs", () => serverOf(directory) !== undefined)
        yield* query(url, "select 1").pipe(
          Effect.catchDefect((cause) => Effect.fail(cause)),
          Effect.retry({ times: 500, schedule: Schedule.spaced("20 millis") })
        )
      }).pipe(Effect.scoped, Effect.provide(Logger.layer([capture])))
    })
  )
})
