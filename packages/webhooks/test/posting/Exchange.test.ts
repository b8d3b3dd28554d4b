import { assert, it } from "@effect/vitest"
import { Clock, Effect } from "effect"
import type { Dispatcher } from "undici"
import { Exchange } from "../../src/posting/Exchange.ts"

// An exchange that has ended does not use undici's controller.
const controller = {} as Dispatcher.DispatchController

it("a connection is released once, also when undici reports a failure after the callback for the end has thrown", () => {
  const released: Array<boolean> = []
  const exchange = new Exchange(
    { timeout: 1_000, bodyLimit: 1_000 },
    {
      request: { path: "/", method: "POST" },
      mayStart: () => true,
      clock: Effect.runSync(Clock.Clock),
      take: () => ({
        wasOpen: true,
        dispatch: () => undefined,
        release: (reusable) => void released.push(reusable)
      }),
      ended: () => {
        throw new Error("the callback fails")
      }
    }
  )
  exchange.start()
  exchange.onRequestStart(controller)
  exchange.onResponseStart(controller, 204, {})
  assert.throws(() => exchange.onResponseEnd())
  exchange.onResponseError(controller, new Error("the callback fails"))
  assert.deepStrictEqual(released, [true])
})
