/** Debian's `pgbouncer`, for tests: on a free port of the loopback, in front of one database, and gone with the scope. */
import { Effect, Redacted, Schedule } from "effect"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { existsSync } from "node:fs"
import { chown, mkdtemp, rm, writeFile } from "node:fs/promises"
import { connect } from "node:net"
import { userInfo } from "node:os"
import { join } from "node:path"
import { chooseRunAs, commandAs } from "../../packages/persistence/src/embedded/RunAs.ts"
import { readConnectionUrl } from "../../packages/persistence/src/sql/connections/ConnectionUrl.ts"
import { fixedPort } from "./FixedPort.ts"
import { scratchPrefix } from "./ScratchDirectory.ts"

const executable =
  ["/usr/sbin/pgbouncer", "/usr/local/bin/pgbouncer", "/opt/homebrew/bin/pgbouncer"].find(existsSync) ?? ""

/** Whether this machine has one. */
export const pgBouncerIsThere = executable !== ""

const accepts = (port: number) =>
  Effect.callback<void, Error>((resume) => {
    const socket = connect(port, "127.0.0.1")
    socket.once("error", (error) => resume(Effect.fail(error)))
    socket.once("connect", () => {
      socket.destroy()
      resume(Effect.void)
    })
  })

/** The address of the database at `url` through a new pooler. */
export const pgBouncer = Effect.fnUntraced(function* (
  url: Redacted.Redacted,
  mode: "session" | "transaction"
) {
  const { database, hosts, password, user } = yield* Effect.fromResult(readConnectionUrl(Redacted.value(url)))
  const [{ name: host, port }] = hosts
  const listening = yield* Effect.promise(fixedPort)
  const directory = yield* Effect.acquireRelease(
    Effect.promise(() => mkdtemp(`${scratchPrefix}${process.pid}-`)),
    (path) => Effect.promise(() => rm(path, { recursive: true, force: true }))
  )
  const file = join(directory, "pgbouncer.ini")
  const login = `user=${user ?? userInfo().username}${password === undefined ? "" : ` password=${password}`}`
  yield* Effect.promise(() =>
    writeFile(
      file,
      `[databases]
${database} = host=${host} port=${port} ${login}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${listening}
auth_type = any
unix_socket_dir =
pool_mode = ${mode}
`,
      { mode: 0o644 }
    )
  )
  // It refuses to run as root, as PostgreSQL does.
  const runAs = yield* Effect.promise(() => chooseRunAs(undefined, host.startsWith("/") ? host : undefined))
  const command = commandAs(runAs, executable, [file])
  if (runAs.kind === "user") yield* Effect.promise(() => chown(directory, runAs.uid, runAs.gid))
  yield* Effect.acquireRelease(
    Effect.sync(() => {
      const child = spawn(command.file, command.args, { ...command.options, stdio: "ignore" })
      // An aborted test runs no finalizer.
      process.once("exit", () => child.kill("SIGKILL"))
      return child
    }),
    (child) =>
      Effect.promise(async () => {
        if (child.exitCode !== null || child.signalCode !== null) return
        child.kill("SIGKILL")
        await once(child, "exit")
      })
  )
  yield* Effect.orDie(
    Effect.retry(accepts(listening), { schedule: Schedule.spaced("20 millis"), times: 250 })
  )
  return Redacted.make(`postgresql://livery@127.0.0.1:${listening}/${database}`)
})
