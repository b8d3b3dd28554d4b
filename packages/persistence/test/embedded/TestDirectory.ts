import { Effect, Redacted, Schedule, Schema } from "effect"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, realpathSync, rmSync } from "node:fs"
import { mkdir, rm } from "node:fs/promises"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import { Client } from "pg"
import { scratchPrefix } from "../../../../test/support/ScratchDirectory.ts"
import type { OpenOptions } from "../../src/embedded/EmbeddedPostgres.ts"
import { EmbeddedPostgres } from "../../src/embedded/EmbeddedPostgres.ts"
import { runningPostmaster } from "../../src/embedded/Postmaster.ts"
import { dataOf } from "../../src/embedded/DataDirectory.ts"

/** Polls a condition of real time for up to ten seconds. */
export const eventually = (title: string, condition: () => boolean) =>
  Effect.suspend(() => (condition() ? Effect.void : Effect.fail(`never: ${title}`))).pipe(
    Effect.retry({ schedule: Schedule.spaced("10 millis"), times: 1000 }),
    Effect.orDie
  )

/**
 * The path of an absent directory in a temporary one. When the scope closes, its server is stopped and the directory
 * removed.
 */
export const testDirectory = Effect.acquireRelease(
  Effect.sync(() => join(realpathSync(mkdtempSync(`${scratchPrefix}${process.pid}-`)), "data")),
  (directory) =>
    Effect.gen(function* () {
      const pid = runningPostmaster(dataOf(directory))?.pid
      if (pid !== undefined) {
        process.kill(pid, "SIGINT")
        yield* eventually("the server stops", () => runningPostmaster(dataOf(directory)) === undefined)
      }
      rmSync(join(directory, ".."), { recursive: true, force: true })
    })
)

/**
 * Makes and removes directories in a directory until the scope closes, as a server does with its temporary files.
 */
export const changingDirectories = (parent: string) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const state = { isOn: true }
      const change = async (name: string) => {
        const top = join(parent, name)
        while (state.isOn) {
          await mkdir(join(top, "one", "two"), { recursive: true })
          await rm(top, { recursive: true, force: true })
          // Lets others use the processors.
          await setTimeout(1)
        }
      }
      const done = Promise.all(["temporary1", "temporary2", "temporary3", "temporary4"].map(change))
      return { state, done }
    }),
    ({ done, state }) => {
      state.isOn = false
      return Effect.promise(() => done)
    }
  )

/** Opens the directory without fsync, because no test is about a power failure. */
export const openFast = (options: OpenOptions) => EmbeddedPostgres.open({ fsync: false, ...options })

/** Runs one statement on a connection of its own. */
export const query = (url: Redacted.Redacted, text: string) =>
  Effect.promise(async () => {
    const client = new Client({ connectionString: Redacted.value(url) })
    await client.connect()
    try {
      const result = await client.query<Record<string, unknown>>(text)
      return result.rows
    } finally {
      await client.end()
    }
  })

const Answer = Schema.fromJsonString(Schema.Struct({ started: Schema.String, url: Schema.String }))

/** Halves the processor time of a start from the sources. */
const compileCache = fileURLToPath(new URL("../../../../node_modules/.cache/compiled", import.meta.url))

/** Another process that opens the directory. `opened` resolves with its answer, `exited` with its exit code. */
export const openerProcess = (options: OpenOptions) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const child = spawn(
        process.execPath,
        [
          "--conditions=@livery/source",
          fileURLToPath(new URL("opener.ts", import.meta.url)),
          JSON.stringify({ fsync: false, ...options })
        ],
        { stdio: ["pipe", "pipe", "pipe"], env: { ...process.env, NODE_COMPILE_CACHE: compileCache } }
      )
      let output = ""
      let errors = ""
      child.stdout.on("data", (chunk: Buffer) => {
        output += chunk.toString()
      })
      child.stderr.on("data", (chunk: Buffer) => {
        errors += chunk.toString()
      })
      const exited = once(child, "exit").then(([code]) => code as number | null)
      const opened = eventually(
        "the process opens the database",
        () => output.includes("\n") || child.exitCode !== null
      ).pipe(
        Effect.flatMap(() =>
          output.includes("\n") ? Schema.decodeEffect(Answer)(output) : Effect.die(new Error(errors))
        ),
        Effect.orDie,
        Effect.map(({ started, url }) => ({ started, url: Redacted.make(url) }))
      )
      const close = Effect.suspend(() => {
        child.stdin.end()
        return Effect.promise(() => exited)
      })
      const kill = Effect.suspend(() => {
        child.kill("SIGKILL")
        return Effect.promise(() => exited)
      })
      /** Sends a signal, and returns the signal that ended the process. */
      const endBy = (signal: NodeJS.Signals) =>
        Effect.suspend(() => {
          child.kill(signal)
          return Effect.promise(async () => {
            await exited
            return child.signalCode
          })
        })
      return { opened, close, kill, endBy }
    }),
    ({ kill }) => kill
  )
