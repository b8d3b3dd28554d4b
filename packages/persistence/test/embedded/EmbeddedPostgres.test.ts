import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { spawn } from "node:child_process"
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  writeFileSync
} from "node:fs"
import { dirname, join } from "node:path"
import { runningPostmaster } from "../../src/embedded/Postmaster.ts"
import { eventually, openFast, openerProcess, query, testDirectory } from "./TestDirectory.ts"

const modeOf = (path: string) => statSync(path).mode & 0o777

const socketOf = (url: Redacted.Redacted) => new URL(Redacted.value(url)).searchParams.get("host") ?? ""

describe("EmbeddedPostgres.open", () => {
  it.live("makes a private cluster in an absent directory, and finds its data again", () =>
    Effect.gen(function* () {
      const directory = yield* testDirectory
      const created = yield* Effect.scoped(
        Effect.gen(function* () {
          const { started, url } = yield* openFast({ directory })
          yield* query(url, "create table cars as select 'Zürich' as name")
          return started
        })
      )
      assert.strictEqual(created, "created")
      assert.strictEqual(modeOf(directory), 0o700)
      assert.strictEqual(runningPostmaster(join(directory, "postgres")), undefined)
      const { started, url } = yield* openFast({ directory })
      assert.strictEqual(started, "existing")
      assert.deepStrictEqual(yield* query(url, "select upper(name) as name from cars"), [{ name: "ZÜRICH" }])
    })
  )

  it.live("listens on a private Unix socket and on no network", () =>
    Effect.gen(function* () {
      const directory = yield* testDirectory
      const { url } = yield* openFast({ directory })
      assert.deepStrictEqual(yield* query(url, "show listen_addresses"), [{ listen_addresses: "" }])
      assert.deepStrictEqual(yield* query(url, "select inet_server_addr() as address"), [{ address: null }])
      assert.strictEqual(modeOf(socketOf(url)), 0o700)
    })
  )

  it.live("is durable by default", () =>
    Effect.gen(function* () {
      const directory = yield* testDirectory
      const settings = `select current_setting('fsync') || ' ' || current_setting('synchronous_commit') || ' '
        || current_setting('full_page_writes') as "all"`
      const read = (fsync: boolean) =>
        Effect.scoped(Effect.flatMap(openFast({ directory, fsync }), ({ url }) => query(url, settings)))
      assert.deepStrictEqual(yield* read(true), [{ all: "on on on" }])
      assert.deepStrictEqual(yield* read(false), [{ all: "off on off" }])
    })
  )

  it.live(
    "puts the socket into a short private directory when the path is too long, and refuses one that is open to others",
    () =>
      Effect.gen(function* () {
        const directory = join(yield* testDirectory, "a-long-name-".repeat(12))
        const socket = yield* Effect.scoped(
          Effect.gen(function* () {
            const { url } = yield* openFast({ directory })
            assert.deepStrictEqual(yield* query(url, "select 1 as one"), [{ one: 1 }])
            return socketOf(url)
          })
        )
        assert.isBelow(socket.length, 80)
        assert.isFalse(existsSync(socket))
        mkdirSync(socket)
        chmodSync(socket, 0o755)
        const error = yield* Effect.flip(Effect.scoped(openFast({ directory })))
        assert.strictEqual(error.reason, "directory_unusable")
        assert.include(error.message, "not a private directory of Livery")
        chmodSync(socket, 0o700)
        assert.strictEqual((yield* openFast({ directory })).started, "existing")
      })
  )

  it.live("reaches the server by TCP on loopback with a password where there is no Unix socket", () =>
    Effect.gen(function* () {
      const directory = yield* testDirectory
      yield* Effect.scoped(
        Effect.gen(function* () {
          const { url } = yield* openFast({ directory, transport: "tcp" })
          assert.deepStrictEqual(yield* query(url, "select host(inet_server_addr()) as address"), [
            { address: "127.0.0.1" }
          ])
          assert.deepStrictEqual(yield* query(url, "show unix_socket_directories"), [
            { unix_socket_directories: "" }
          ])
          const guess = Redacted.make(Redacted.value(url).replace(/:[^:@]+@/u, ":guess@"))
          const refusal = yield* Effect.flip(
            Effect.catchDefect(query(guess, "select 1"), (cause) => Effect.fail(cause))
          )
          assert.include(String(refusal), "password authentication failed")
          assert.strictEqual((yield* openFast({ directory, transport: "tcp" })).started, "joined")
        })
      )
      assert.strictEqual(runningPostmaster(join(directory, "postgres")), undefined)
    })
  )

  it.live("starts over when the first initialisation was killed half-way", () =>
    Effect.gen(function* () {
      const directory = yield* testDirectory
      const first = yield* openerProcess({ directory })
      const draft = () => readdirSync(directory).find((name) => /new-[-0-9a-f]+$/u.test(name)) ?? ""
      yield* eventually(
        "initdb writes",
        () => existsSync(directory) && draft() !== "" && existsSync(join(directory, draft(), "PG_VERSION"))
      )
      yield* first.kill
      assert.notInclude(readdirSync(directory), "postgres")
      const { started, url } = yield* openFast({ directory })
      assert.strictEqual(started, "created")
      assert.deepStrictEqual(yield* query(url, "select 1 as one"), [{ one: 1 }])
    })
  )

  it.live("leaves no draft behind an initialisation that failed", () =>
    Effect.gen(function* () {
      const directory = yield* testDirectory
      mkdirSync(join(directory, "postgres"), { recursive: true })
      writeFileSync(join(directory, "postgres", "photo.jpeg"), "no cluster")
      const error = yield* Effect.flip(openFast({ directory }))
      assert.strictEqual(error.reason, "directory_unusable")
      assert.deepStrictEqual(readdirSync(directory).toSorted(), ["postgres", "postgres.log"])
    })
  )

  it.live("neither joins nor ends a program that got the process id of a dead server", () =>
    Effect.gen(function* () {
      const directory = yield* testDirectory
      const data = join(directory, "postgres")
      const remains = yield* Effect.scoped(
        Effect.map(openFast({ directory }), () => ({
          server: readFileSync(join(data, "postmaster.pid"), "utf8"),
          socket: readFileSync(join(data, ".s.PGSQL.5432.lock"), "utf8")
        }))
      )
      const other = yield* Effect.acquireRelease(
        Effect.sync(() => spawn("sleep", ["60"], { stdio: "ignore" })),
        (child) => Effect.sync(() => child.kill())
      )
      writeFileSync(join(data, "postmaster.pid"), remains.server.replace(/^\d+/u, String(other.pid)), {
        mode: 0o600
      })
      writeFileSync(join(data, ".s.PGSQL.5432.lock"), remains.socket.replace(/^\d+/u, String(other.pid)), {
        mode: 0o600
      })
      assert.strictEqual(
        yield* Effect.scoped(Effect.map(openFast({ directory }), (o) => o.started)),
        "existing"
      )
      assert.strictEqual(other.exitCode, null)
      assert.strictEqual(other.signalCode, null)
    })
  )

  it.live("does not join the server of the directory that it was copied from", () =>
    Effect.gen(function* () {
      const parent = yield* testDirectory
      const original = join(parent, "a-long-name-".repeat(12))
      const copy = `${original}-copy`
      yield* openFast({ directory: original })
      mkdirSync(copy)
      cpSync(original, copy, { recursive: true, filter: (source) => !source.includes(".s.PGSQL") })
      const { started, url } = yield* openFast({ directory: copy })
      assert.strictEqual(started, "existing")
      assert.deepStrictEqual(yield* query(url, "show data_directory"), [
        { data_directory: join(copy, "postgres") }
      ])
    })
  )

  it.live("leaves the data of another major version as it is", () =>
    Effect.gen(function* () {
      const directory = yield* testDirectory
      const data = join(directory, "postgres")
      yield* Effect.scoped(openFast({ directory }))
      writeFileSync(join(data, "PG_VERSION"), "15\n")
      const before = readdirSync(data, { recursive: true }).map(
        (name) => statSync(join(data, String(name))).mtimeMs
      )
      const error = yield* Effect.flip(openFast({ directory }))
      assert.strictEqual(error.reason, "version_mismatch")
      assert.include(error.message, "PostgreSQL 15")
      const after = readdirSync(data, { recursive: true }).map(
        (name) => statSync(join(data, String(name))).mtimeMs
      )
      assert.deepStrictEqual(after, before)
    })
  )

  it.live("reports why the server does not start, from its log", () =>
    Effect.gen(function* () {
      const directory = yield* testDirectory
      yield* Effect.scoped(openFast({ directory }))
      writeFileSync(join(directory, "postgres", "postgresql.conf"), "shared_buffers = plenty\n")
      const error = yield* Effect.flip(openFast({ directory }))
      assert.strictEqual(error.reason, "start_failed")
      assert.include(error.message, "plenty")
    })
  )

  it.live("says so when the directory cannot be made", () =>
    Effect.gen(function* () {
      const parent = yield* testDirectory
      mkdirSync(parent)
      const directory = join(parent, "file")
      writeFileSync(directory, "no directory")
      for (const wrong of [directory, join(directory, "below")]) {
        const error = yield* Effect.flip(openFast({ directory: wrong }))
        assert.strictEqual(error.reason, "directory_unusable")
        assert.match(
          error.message,
          /file: a file is in the place of a directory: check the path \(E|below: a file is in the place of/u
        )
      }
    })
  )

  it.live.skipIf(process.platform !== "linux")(
    "gives the server a session of its own and no descriptor of ours but the log",
    () =>
      Effect.gen(function* () {
        const directory = yield* testDirectory
        yield* openFast({ directory })
        const pid = runningPostmaster(join(directory, "postgres"))?.pid ?? 0
        const fields = readFileSync(`/proc/${pid}/stat`, "latin1").split(") ")[1]?.split(" ") ?? []
        assert.strictEqual(Number(fields[3]), pid)
        const log = join(directory, "postgres.log")
        const files = ["0", "1", "2"].map((descriptor) => readlinkSync(`/proc/${pid}/fd/${descriptor}`))
        assert.deepStrictEqual(files, ["/dev/null", log, log])
        assert.strictEqual(dirname(log), directory)
      })
  )
})
