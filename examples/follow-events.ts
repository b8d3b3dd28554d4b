/** Prints each new event of the business whose id is the argument, until it is stopped. */
import { Effect, Layer, Schema } from "effect"
import { Livery, Settings } from "@livery/cli"
import { BusinessId, Businesses, EventFeed, latestCursor } from "@livery/domain"

const program = Effect.gen(function* () {
  const businesses = yield* Businesses
  const id = yield* Schema.decodeEffect(BusinessId)(Number(process.argv[2]))
  const business = yield* businesses.acting(id)
  const feed = yield* EventFeed
  let { cursor } = yield* feed.after(business, latestCursor)
  yield* Effect.log(`Following from ${cursor}`)
  while (true) {
    const page = yield* feed.after(business, cursor)
    for (const { data, type } of page.events) yield* Effect.log(`${type}: ${String(data["reference"])}`)
    cursor = page.cursor
    if (!page.hasMore) yield* Effect.sleep("1 second")
  }
})

await Effect.runPromise(program.pipe(Effect.provide(Livery.pipe(Layer.provide(Settings.layer)))))
