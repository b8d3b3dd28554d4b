import { assert, it } from "@effect/vitest"
import type { Dispatcher } from "undici"
import { Exchange } from "../src/Exchange.ts"

// Of an exchange that is over, undici's controller is asked nothing.
const controller = {} as Dispatcher.DispatchController

it("a connection is given back once, also when undici tells of a failure after the end could not be told", () => {
  const freed: Array<boolean> = []
  const exchange = new Exchange(
    { timeout: 1_000, bodyLimit: 1_000 },
    {
      request: { path: "/", method: "POST" },
      take: () => ({ wasOpen: true, dispatch: () => undefined, free: (intact) => void freed.push(intact) }),
      ended: () => {
        throw new Error("who was told fails")
      }
    }
  )
  exchange.begin()
  exchange.onRequestStart(controller)
  exchange.onResponseStart(controller, 204, {})
  assert.throws(() => exchange.onResponseEnd())
  exchange.onResponseError(controller, new Error("who was told fails"))
  assert.deepStrictEqual(freed, [true])
})
