import { availableParallelism } from "node:os"
import { assert, describe, it } from "vitest"
import {
  lookPauseMillis,
  makeBusyPolling,
  pausePollMillis,
  requestPollMillis
} from "../../src/http/server/BusyPolling.ts"

/** A process whose time passes only when told, and whose event loop runs one iteration at a time. */
const makeProcess = (processors = 2) => {
  let time = 1000
  let due: ReadonlyArray<() => void> = []
  const pauses: Array<number> = []
  const iterate = () => {
    const now = due
    due = []
    for (const run of now) run()
    return now.length
  }
  const polling = makeBusyPolling({
    processors,
    now: () => time,
    nextIteration: (run) => {
      due = [...due, run]
    },
    spin: (millis) => void pauses.push(millis)
  })
  return {
    polling,
    pauses,
    pass: (millis: number) => {
      time += millis
    },
    /** Whether the event loop would not sleep now. */
    isAwake: () => iterate() > 0 && due.length > 0
  }
}

const one = { connection: 1 }
const other = { connection: 2 }

type Process = ReturnType<typeof makeProcess>

/** A request that takes that many milliseconds. */
const request = ({ pass, polling }: Process, millis: number, connection: object = one) => {
  const response = {}
  polling.began(response, connection)
  pass(millis)
  polling.answered(response)
}

/** A client that sends one request after the other. */
const promptClient = (process: Process, millis: number) => {
  for (let count = 0; count < 3; count++) {
    process.pass(pausePollMillis / 2)
    request(process, millis)
  }
}

describe("busy polling", () => {
  it("awaits the next request of a client that sent the last one at once", () => {
    const process = makeProcess()
    promptClient(process, requestPollMillis / 2)
    assert.isTrue(process.isAwake())
    process.pass(pausePollMillis / 2)
    assert.isTrue(process.isAwake())
  })

  it("does not await the next request after a long one, so that the client and the database have all processors", () => {
    const process = makeProcess()
    promptClient(process, requestPollMillis / 2)
    request(process, requestPollMillis * 2)
    assert.isFalse(process.isAwake())
  })

  it("pauses before each look at the event loop", () => {
    const process = makeProcess()
    promptClient(process, requestPollMillis / 2)
    assert.deepStrictEqual(process.pauses, [])
    assert.isTrue(process.isAwake())
    assert.isTrue(process.isAwake())
    assert.deepStrictEqual(process.pauses, [lookPauseMillis, lookPauseMillis])
  })

  it("ends when no request came, and begins again with the next prompt client", () => {
    const process = makeProcess()
    promptClient(process, requestPollMillis / 2)
    process.pass(pausePollMillis * 2)
    assert.isFalse(process.isAwake())
    promptClient(process, requestPollMillis / 2)
    assert.isTrue(process.isAwake())
  })

  it("does not await the next request of a client that waited before the last one", () => {
    const process = makeProcess()
    promptClient(process, requestPollMillis / 2)
    process.pass(pausePollMillis * 2)
    request(process, requestPollMillis / 2)
    assert.isFalse(process.isAwake())
  })

  it("continues during a request if the last one was short", () => {
    const process = makeProcess()
    promptClient(process, requestPollMillis / 2)
    process.pass(1)
    process.polling.began({}, one)
    process.pass(requestPollMillis / 2)
    assert.isTrue(process.isAwake())
    process.pass(requestPollMillis / 2)
    assert.isFalse(process.isAwake())
  })

  it("does not begin during a request if the last one was long", () => {
    const process = makeProcess()
    promptClient(process, requestPollMillis * 2)
    process.polling.began({}, one)
    assert.isFalse(process.isAwake())
  })

  it("ends when a request of another connection begins, and after its response", () => {
    const process = makeProcess()
    promptClient(process, requestPollMillis / 2)
    assert.isTrue(process.isAwake())
    const response = {}
    process.polling.began(response, other)
    assert.isFalse(process.isAwake())
    process.polling.answered(response)
    assert.isFalse(process.isAwake())
  })

  it("does not begin while a client has several requests under way", () => {
    const process = makeProcess()
    promptClient(process, requestPollMillis / 2)
    const first = {}
    const second = {}
    process.polling.began(first, one)
    process.polling.began(second, one)
    assert.isFalse(process.isAwake())
    process.polling.answered(first)
    process.polling.began({}, one)
    assert.isFalse(process.isAwake())
    process.polling.answered(second)
    assert.isFalse(process.isAwake())
  })

  it("continues for the next client after a response that was never written", () => {
    const process = makeProcess()
    promptClient(process, requestPollMillis / 2)
    process.polling.began({}, other)
    promptClient(process, requestPollMillis / 2)
    assert.isTrue(process.isAwake())
  })

  it("schedules one iteration at a time", () => {
    let scheduled = 0
    const process = makeBusyPolling({
      processors: 2,
      now: () => 1,
      nextIteration: () => {
        scheduled += 1
      },
      spin: () => undefined
    })
    for (let count = 0; count < 5; count++) {
      const response = {}
      process.began(response, one)
      process.answered(response)
    }
    assert.strictEqual(scheduled, 1)
  })

  it("never happens on a single processor", () => {
    const process = makeProcess(1)
    promptClient(process, requestPollMillis / 2)
    assert.isFalse(process.isAwake())
  })

  it("uses the event loop of Node, on a machine with several processors", () => {
    const scheduled = () => process.getActiveResourcesInfo().filter((name) => name === "Immediate").length
    const before = scheduled()
    const polling = makeBusyPolling()
    // Another process may take the processor between two requests, so that they are not prompt.
    for (let count = 0; count < 1000 && scheduled() === before; count++) {
      const response = {}
      polling.began(response, one)
      polling.answered(response)
    }
    assert.strictEqual(scheduled() - before, availableParallelism() > 1 ? 1 : 0)
  })
})
