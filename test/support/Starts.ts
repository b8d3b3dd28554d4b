/** Starts of `livery serve`, also those that are refused or wait for their database. */
import { Effect, Exit, Scope } from "effect"
import { mkdtemp, rm } from "node:fs/promises"
import type { Server } from "node:net"
import { join } from "node:path"
import { afterEach, assert, beforeEach, vi } from "vitest"
import { launch, type Outcome, type Program } from "./Program.ts"
import { scratchPrefix } from "./ScratchDirectory.ts"

/**
 * For a file of tests: the settings of a node on a database, a start of it with flags, and an effect whose resources are
 * released after the test. Each test has a data directory of its own, and its nodes end with it.
 */
export const starts = () => {
  let scope: Scope.Closeable
  let base: string
  const programs: Array<Program> = []
  beforeEach(async () => {
    scope = Scope.makeUnsafe()
    base = await mkdtemp(`${scratchPrefix}${process.pid}-`)
  })
  afterEach(async () => {
    for (const program of programs.splice(0)) {
      if (program.ending() === undefined) program.signal("SIGKILL")
      await program.ended
    }
    await Effect.runPromise(Scope.close(scope, Exit.void))
    await rm(base, { recursive: true, force: true })
  })
  const settingsOf = (url: string) => ({
    LIVERY_DATA_DIR: join(base, "data"),
    LIVERY_SECRET: "a secret of thirty-two characters",
    DATABASE_URL: url,
    PORT: "0",
    WORKERS_PORT: "0",
    SHUTDOWN_GRACE: "0"
  })
  const start = (url: string, ...flags: ReadonlyArray<string>) => {
    const program = launch(["serve", ...flags], { environment: settingsOf(url) })
    programs.push(program)
    return program
  }
  const within = <A>(work: Effect.Effect<A, never, Scope.Scope>) =>
    Effect.runPromise(Scope.provide(scope)(work))
  return { settingsOf, start, within }
}

/** The line of a start that was refused; the whole output if it is anything else. */
export const refusal = ({ code, stderr, stdout }: Outcome, expectedCode = 1) =>
  code === expectedCode && stdout === "" && /^[^\n]+\n$/u.test(stderr)
    ? stderr
    : `not one line and exit code ${expectedCode}, but ${code}: ${stdout}${stderr}`

/** Waits until a start has logged that it waits for the database, with this reason. */
export const waits = (program: Program, reason: RegExp) =>
  vi.waitFor(
    () => {
      const lines = program.stderr().split("\n")
      assert.isTrue(lines.some((line) => line.includes("waiting for the database") && reason.test(line)))
    },
    { timeout: 60_000, interval: 10 }
  )

/** Listens on a port of this machine that is free, and returns it. */
export const listening = async (server: Server) => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const address = server.address()
  return typeof address === "object" && address !== null ? address.port : 0
}
