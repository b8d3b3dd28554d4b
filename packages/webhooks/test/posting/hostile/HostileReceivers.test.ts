import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process"
import { createInterface, type Interface } from "node:readline"
import { fileURLToPath } from "node:url"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { friendly, hostilities } from "./HostileReceivers.ts"

const isFull = process.env["LIVERY_FAULTS"] === "full"

/**
 * The time limits of a connection and a POST in milliseconds. With full counts they are Livery's own. Otherwise they
 * are short for receivers that cause timeouts, and long for the others, so that no outcome depends on the machine's
 * speed.
 */
const timeoutsOf = (name: string) => {
  if (isFull) return { connectTimeout: 5_000, timeout: 15_000 }
  if (name === "never accepts") return { connectTimeout: 300, timeout: 20_000 }
  if (name === "drips a byte of its body a second") return { connectTimeout: 20_000, timeout: 5_000 }
  return { connectTimeout: 20_000, timeout: expected[name] === "timeout" ? 900 : 20_000 }
}

/** The number of concurrent posts to one receiver. */
const times = 10

interface Answer {
  readonly outcomes: ReadonlyArray<{
    readonly acknowledged: boolean
    readonly error: string | null
    /** Whether it ended before a timer that was set to just after its timeout. */
    readonly isInTime: boolean
  }>
  readonly grownMegabytes: number
}

/** The error of the attempt, null for an acknowledged one. */
const expected: Readonly<Record<string, string | null>> = {
  "accepts and never responds": "timeout",
  resets: "connection failed",
  "drips a byte of its headers a second": "timeout",
  "drips a byte of its body a second": null,
  "sends a body without an end": null,
  "sends a body of 1 GB": null,
  "sends a gzip bomb": null,
  "sends 10,000 headers": "invalid response",
  "sends a header of 10 MB": "invalid response",
  "sends bad chunks": null,
  "never accepts": "connection failed"
}

describe("a POST ends within its time limit and takes less than 10 MB of memory", () => {
  let poster: ChildProcessWithoutNullStreams
  let answers: Interface
  beforeAll(async () => {
    poster = spawn(process.execPath, [
      "--expose-gc",
      // A small space for new objects, so that little of the measured memory is garbage.
      "--max-semi-space-size=1",
      // Compiling a function that has become busy takes memory for a moment, up to 10 MB, and when it does is a matter of chance.
      "--no-opt",
      "--no-maglev",
      "--conditions=@livery/source",
      fileURLToPath(new URL("PosterProcess.ts", import.meta.url))
    ])
    poster.stderr.pipe(process.stderr)
    answers = createInterface({ input: poster.stdout })
    // The first POSTs take memory that stays, such as compiled code.
    const receiver = await friendly()
    for (let round = 0; round < 30; round++) await ask(receiver.url, "accepts")
    await receiver.close()
  })
  afterAll(() => {
    poster.kill("SIGKILL")
  })

  const ask = (url: string, name: string) =>
    new Promise<Answer>((resolve) => {
      answers.once("line", (line) => resolve(JSON.parse(line) as Answer))
      poster.stdin.write(`${JSON.stringify({ url, times, ...timeoutsOf(name) })}\n`)
    })

  it.for(Object.entries(hostilities))("to a receiver that %s", { timeout: 120_000 }, async ([name, open]) => {
    const receiver = await open()
    try {
      const { grownMegabytes, outcomes } = await ask(receiver.url, name)
      for (const { acknowledged, error, isInTime } of outcomes) {
        assert.isTrue(isInTime)
        assert.strictEqual(error, expected[name])
        assert.strictEqual(acknowledged, error === null, "a 2xx acknowledges, however its body ends")
      }
      assert.strictEqual(outcomes.length, times)
      process.stdout.write(`${name}: ${grownMegabytes.toFixed(1)} MB more\n`)
      assert.isBelow(grownMegabytes, 10)
    } finally {
      await receiver.close()
    }
  })
})
