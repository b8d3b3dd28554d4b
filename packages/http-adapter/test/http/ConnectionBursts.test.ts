import { EventEmitter } from "node:events"
import { assert, describe, it } from "vitest"
import { acceptConnectionsFirst, maxHoldMillis } from "../../src/http/server/ConnectionBursts.ts"

/** A server whose event loop runs one iteration at a time, and whose time passes only when told. */
const makeServer = () => {
  let time = 1000
  let due: ReadonlyArray<() => void> = []
  const handled: Array<string> = []
  const server = acceptConnectionsFirst(new EventEmitter(), {
    now: () => time,
    atEndOfIteration: (run) => {
      due = [...due, run]
    }
  }).on("request", (request) => handled.push(String(request)))
  return {
    handled,
    connect: () => server.emit("connection"),
    /** A request; its client leaves when the response is destroyed. */
    request: (name: string, response = { destroyed: false }) => server.emit("request", name, response),
    pass: (millis: number) => {
      time += millis
    },
    endIteration: () => {
      const now = due
      due = []
      for (const run of now) run()
    },
    /** Whether the event loop may sleep. */
    isIdle: () => due.length === 0
  }
}

describe("while connections arrive", () => {
  it("requests wait until an iteration passes without a new connection, and are handled in their order", () => {
    const { connect, endIteration, handled, isIdle, request } = makeServer()
    connect()
    request("a")
    endIteration()
    connect()
    request("b")
    endIteration()
    request("c")
    assert.deepStrictEqual(handled, [])
    endIteration()
    assert.deepStrictEqual(handled, ["a", "b", "c"])
    assert.isTrue(isIdle())
  })

  it("requests are held for at most 5 ms, and then not for the next 5 ms", () => {
    const { connect, endIteration, handled, pass, request } = makeServer()
    connect()
    request("a")
    endIteration()
    pass(maxHoldMillis)
    connect()
    endIteration()
    assert.deepStrictEqual(handled, ["a"])
    pass(maxHoldMillis / 2)
    connect()
    request("b")
    assert.deepStrictEqual(handled, ["a", "b"])
    pass(maxHoldMillis / 2)
    connect()
    request("c")
    assert.deepStrictEqual(handled, ["a", "b"])
  })

  it("a request whose client has left is not handled", () => {
    const { connect, endIteration, handled, request } = makeServer()
    const response = { destroyed: false }
    connect()
    request("a", response)
    request("b")
    response.destroyed = true
    endIteration()
    endIteration()
    assert.deepStrictEqual(handled, ["b"])
  })
})

it("without a new connection, requests are handled at once", () => {
  const { connect, endIteration, handled, isIdle, request } = makeServer()
  connect()
  endIteration()
  endIteration()
  request("a")
  assert.deepStrictEqual(handled, ["a"])
  assert.isTrue(isIdle())
})
