import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process"
import { createInterface, type Interface } from "node:readline"
import { fileURLToPath } from "node:url"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { friendly, hostilities } from "./HostileReceivers.ts"

const isFull = process.env["LIVERY_FAULTS"] === "full"

// In full the limits that Livery has; else shorter ones, kept the same way.
const connectTimeout = isFull ? 5_000 : 300
const timeout = isFull ? 15_000 : 900

/** Posts at once, all to the same receiver: as many as one endpoint ever has under way. */
const times = 10

interface Answer {
  readonly outcomes: ReadonlyArray<{
    readonly acknowledged: boolean
    readonly error: string | null
    readonly milliseconds: number
  }>
  readonly grownMegabytes: number
}

/** What the attempt is said to have come to. */
const expected: Readonly<Record<string, string | null>> = {
  "accepts and says nothing": "timeout",
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

describe("whatever a receiver does, the slot is free in time and memory stays", () => {
  let poster: ChildProcessWithoutNullStreams
  let answers: Interface
  beforeAll(async () => {
    poster = spawn(process.execPath, [
      "--expose-gc",
      // Little room for what is new, so that memory measured is memory held, not garbage that nobody has fetched yet.
      "--max-semi-space-size=1",
      "--conditions=@livery/source",
      fileURLToPath(new URL("PosterProcess.ts", import.meta.url))
    ])
    poster.stderr.pipe(process.stderr)
    answers = createInterface({ input: poster.stdout })
    // What runs for the first time takes memory for good.
    const receiver = await friendly()
    for (let round = 0; round < 30; round++) await ask(receiver.url)
    await receiver.close()
  })
  afterAll(() => {
    poster.kill("SIGKILL")
  })

  const ask = (url: string) =>
    new Promise<Answer>((resolve) => {
      answers.once("line", (line) => resolve(JSON.parse(line) as Answer))
      poster.stdin.write(`${JSON.stringify({ url, times, connectTimeout, timeout })}\n`)
    })

  it.for(Object.entries(hostilities))("one that %s", { timeout: 60_000 }, async ([name, open]) => {
    const receiver = await open()
    try {
      const { grownMegabytes, outcomes } = await ask(receiver.url)
      for (const { acknowledged, error, milliseconds } of outcomes) {
        assert.isBelow(milliseconds, timeout + 500)
        // Of two limits that are as close as in these tests, either may be the first.
        const word = name === "never accepts" && error === "timeout" ? "connection failed" : error
        assert.strictEqual(word, expected[name])
        assert.strictEqual(acknowledged, error === null, "a 2xx acknowledges, whatever becomes of its body")
      }
      assert.strictEqual(outcomes.length, times)
      process.stdout.write(`${name}: ${grownMegabytes.toFixed(1)} MB more\n`)
      assert.isBelow(grownMegabytes, 10)
    } finally {
      await receiver.close()
    }
  })
})
