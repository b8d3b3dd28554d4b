/**
 * The dispatcher: claims due deliveries, posts them, records the results. It connects two components that do not depend
 * on each other: `queue/` claims deliveries and writes their results, `posting/` posts them safely.
 */
import type { Cryptography, DeliveryQueue, SecretBox, WorkNotifier } from "@livery/domain"
import { Effect, Layer } from "effect"
import type { Duration } from "effect"
import { makeDeliveryPoster } from "./posting/DeliveryPoster.ts"
import type { WebhookSender } from "./posting/WebhookSender.ts"
import { startCounters } from "./queue/DeliveryMetrics.ts"
import { makeQueueConsumer } from "./queue/QueueConsumer.ts"
import { makeDatabaseClock } from "./time/DatabaseClock.ts"

/** The limits of a dispatcher. */
export interface DispatcherOptions {
  /**
   * The most deliveries that the dispatcher holds, 1,000 by default, without those whose attempt hangs: one that has
   * taken longer than a second. With hanging ones it holds up to four times as many, because a hanging attempt costs only
   * a socket and little memory.
   */
  readonly concurrency?: number | undefined
  /**
   * How many dispatchers of this process share the concurrency, 1 by default. Each may hold as many as one business has in
   * flight, also if its share is smaller.
   */
  readonly places?: number | undefined
  /**
   * The most deliveries in flight for one endpoint, across all dispatchers of the database; 20 by default. While
   * attempts of an endpoint time out, its limit is lowered to 2.
   */
  readonly perEndpoint?: number | undefined
  /**
   * The most deliveries in flight for all endpoints of one business, across all dispatchers of the database; 100 by
   * default, a tenth of the concurrency. As many more may hang; after that, each endpoint of the business may have 2 in
   * flight.
   */
  readonly perBusiness?: number | undefined
  /** The same for all endpoints at one host, 500 by default: many businesses may use one service. */
  readonly perHost?: number | undefined
  /**
   * How long closing the scope waits for running attempts and their results, 16 seconds by default. Attempts that run
   * until half a second before its end are interrupted and recorded.
   */
  readonly grace?: Duration.Input | undefined
}

/**
 * Runs a dispatcher for the layer's lifetime. Any number of them may share one database. When the scope closes, it
 * stops claiming, and waits for running attempts to end and be recorded.
 */
export const layer = (
  options: DispatcherOptions = {}
): Layer.Layer<never, never, DeliveryQueue | WebhookSender | WorkNotifier | SecretBox | Cryptography> =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      yield* startCounters
      const databaseClock = yield* makeDatabaseClock
      const { concurrency = 1_000, perBusiness = 100, places = 1 } = options
      const consumer = yield* makeQueueConsumer({
        databaseClock,
        concurrency: places === 1 ? concurrency : Math.max(Math.ceil(concurrency / places), perBusiness),
        perEndpoint: options.perEndpoint ?? 20,
        perBusiness,
        perHost: options.perHost ?? 500,
        grace: options.grace ?? "16 seconds"
      })
      const poster = yield* makeDeliveryPoster({
        signingMillis: databaseClock.currentMillis,
        attempted: consumer.attempted,
        unsent: consumer.unsent
      })
      yield* consumer.run(poster)
    })
  )
