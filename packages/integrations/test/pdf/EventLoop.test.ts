import { InvoiceRenderer } from "@livery/domain"
import { PdfInvoices } from "@livery/integrations"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { electronicCopy } from "../../src/pdf/FacturX.ts"
import { long, usual } from "./Samples.ts"

/** Counts the turns of the event loop. */
const countedTurns = Effect.acquireRelease(
  Effect.sync(() => {
    const state = { turns: 0, next: setImmediate(() => undefined) }
    const count = () => {
      state.turns++
      state.next = setImmediate(count)
    }
    count()
    return state
  }),
  ({ next }) => Effect.sync(() => clearImmediate(next))
)

describe("other requests proceed while an invoice is written", () => {
  it.live("after every 200 lines of the electronic copy", () =>
    Effect.gen(function* () {
      const loop = yield* countedTurns
      const before = loop.turns
      const { attachment } = yield* electronicCopy(long(1900))
      assert.isNotNull(attachment)
      assert.isAtLeast(loop.turns - before, 9)
    })
  )

  it.live("between the electronic copy and the sheet", () =>
    Effect.gen(function* () {
      const loop = yield* countedTurns
      const renderer = yield* InvoiceRenderer
      const read = new Set<number>()
      const watched = new Proxy(usual, {
        get: (document, name) => {
          read.add(loop.turns)
          return Reflect.get(document, name) as unknown
        }
      })
      yield* renderer.render(watched)
      assert.isAtLeast(read.size, 2)
    }).pipe(Effect.provide(PdfInvoices.layer({ timeout: "1 hour" })))
  )
})
