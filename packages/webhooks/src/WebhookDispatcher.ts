/**
 * The dispatcher: takes due deliveries, posts them, records the results. It joins two components that know nothing of each
 * other: `queue/` takes from the queue and writes back, `posting/` posts safely.
 */
import type { Cryptography, DeliveryQueue, SecretBox, WorkNotifier } from "@livery/domain"
import { Effect, Layer } from "effect"
import type { Duration } from "effect"
import { makeDeliveryPoster } from "./posting/DeliveryPoster.ts"
import type { WebhookSender } from "./posting/WebhookSender.ts"
import { makeQueueConsumer } from "./queue/QueueConsumer.ts"
import { makeDatabaseClock } from "./time/DatabaseClock.ts"

export interface DispatcherOptions {
  /**
   * Deliveries held at most, 1,000 by default, apart from those whose attempt hangs: has been under way for longer than a
   * second. With those there are at most four times as many. One that hangs costs a socket and little memory.
   */
  readonly concurrency?: number | undefined
  /**
   * Deliveries in flight at most for one endpoint, over all dispatchers of the database; 20 by default. While attempts of
   * an endpoint time out, its bound is lowered to 2.
   */
  readonly perEndpoint?: number | undefined
  /**
   * Deliveries in flight at most for all endpoints of one business, over all dispatchers of the database; 100 by
   * default, a tenth of the concurrency. As many more may hang. Then each endpoint of the business keeps a share of 2.
   */
  readonly perBusiness?: number | undefined
  /** The same for all endpoints at one host, 500 by default: many businesses may use one service. */
  readonly perHost?: number | undefined
  /** Attempts at most that started less than 10 milliseconds ago and have not ended, 40 by default. */
  readonly maxRecent?: number | undefined
  /** How long a result waits for others to be written with it; 4 ms by default, 8 with more than half of the slots taken. */
  readonly writeDelay?: Duration.Input | undefined
  /** How long the end of the scope waits for attempts under way, 16 seconds by default. */
  readonly grace?: Duration.Input | undefined
}

/**
 * Runs a dispatcher for the layer's life. Any number of them may share one database. At the end it claims no more,
 * releases the deliveries that it has not started to send, and waits for attempts under way to end and be recorded.
 */
export const layer = (
  options: DispatcherOptions = {}
): Layer.Layer<never, never, DeliveryQueue | WebhookSender | WorkNotifier | SecretBox | Cryptography> =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const databaseClock = yield* makeDatabaseClock
      const consumer = yield* makeQueueConsumer({
        databaseClock,
        concurrency: options.concurrency ?? 1_000,
        perEndpoint: options.perEndpoint ?? 20,
        perBusiness: options.perBusiness ?? 100,
        perHost: options.perHost ?? 500,
        writeDelay: options.writeDelay,
        grace: options.grace ?? "16 seconds"
      })
      const poster = yield* makeDeliveryPoster({
        signingMillis: databaseClock.currentMillis,
        maxRecent: options.maxRecent ?? 40,
        attempted: consumer.attempted,
        unsent: consumer.unsent
      })
      yield* consumer.run(poster)
    })
  )
