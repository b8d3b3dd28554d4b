/**
 * Wakes a worker of this process as soon as work for it is committed. Work is stored first and also found by polling,
 * so a lost notification only causes a delay.
 */
import { Context, Effect, Latch, Layer, Option } from "effect"
import type { Duration } from "effect"

/** The queues that have a worker. */
export type WorkKind = "deliveries" | "events" | "mail"

/**
 * - `notify`: there may be new work of that kind.
 * - `wait`: returns on the first notification since `wait` last returned, or after `atMost`.
 */
export class WorkNotifier extends Context.Service<
  WorkNotifier,
  {
    readonly notify: (kind: WorkKind) => Effect.Effect<void>
    readonly wait: (kind: WorkKind, atMost: Duration.Duration) => Effect.Effect<void>
  }
>()("@livery/domain/WorkNotifier") {
  static readonly layer = Layer.sync(WorkNotifier, () => {
    const latches: Readonly<Record<WorkKind, Latch.Latch>> = {
      deliveries: Latch.makeUnsafe(),
      events: Latch.makeUnsafe(),
      mail: Latch.makeUnsafe()
    }
    return WorkNotifier.of({
      notify: (kind) => Effect.asVoid(latches[kind].open),
      wait: (kind, atMost) =>
        latches[kind].await.pipe(
          Effect.timeoutOption(atMost),
          Effect.tap((notified) => (Option.isSome(notified) ? latches[kind].close : Effect.void)),
          Effect.asVoid
        )
    })
  })
}
