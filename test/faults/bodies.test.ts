import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import {
  requestBodies,
  senderOf,
  worstBody,
  worstValues
} from "../../packages/http-adapter/test/support/RequestBodies.ts"
import { Ports } from "../../packages/http-adapter/test/support/TestPorts.ts"
import { openServer } from "../../packages/http-adapter/test/support/TestServer.ts"
import { isFull } from "./support/Extent.ts"

/** The most milliseconds of processor time that a body may take. */
const longest = 50

/** Just under the limit of 1 MiB. */
const size = 1_040_000

const spent = () => {
  const { system, user } = process.threadCpuUsage()
  return (system + user) / 1000
}

layer(Ports)("the worst bodies of permitted size", (it) => {
  it.effect.skipIf(!isFull)(
    "take less than 50 ms of processor time each, on every route",
    () =>
      Effect.gen(function* () {
        const send = yield* senderOf(yield* openServer())
        for (const body of requestBodies)
          for (const [name, worst] of Object.entries(worstValues)) {
            const text = worstBody(body, worst, size)
            let least = Infinity
            for (let round = 0; round < 5 && least >= longest; round += 1) {
              const before = spent()
              yield* send(body, text)
              least = Math.min(least, spent() - before)
            }
            assert.isBelow(least, longest, `${name} in ${body.method} ${body.path}`)
          }
      }),
    900_000
  )
})
