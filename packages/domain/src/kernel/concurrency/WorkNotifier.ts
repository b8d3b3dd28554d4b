/**
 * Wakes a worker of this process as soon as work for it is committed. Work is stored first and also found by polling,
 * so a lost notification only causes a delay.
 */
import { Context, Effect, Latch, Layer, Option } from "effect"
import type { Duration } from "effect"

/** The queues that have a worker. */
export type WorkKind = "deliveries" | "events" | "mail"

export class WorkNotifier extends Context.Service<WorkNotifier>()("@livery/domain/WorkNotifier", {
  make: Effect.sync(() => {
    const latches: Readonly<Record<WorkKind, Latch.Latch>> = {
      deliveries: Latch.makeUnsafe(),
      events: Latch.makeUnsafe(),
      mail: Latch.makeUnsafe()
    }
    return {
      /** There may be new work of that kind. */
      notify: (kind: WorkKind) => Effect.asVoid(latches[kind].open),

      /** Returns on the first notification since `wait` last returned, or after `atMost`. */
      wait: (kind: WorkKind, atMost: Duration.Duration) =>
        latches[kind].await.pipe(
          Effect.timeoutOption(atMost),
          Effect.tap((notified) => (Option.isSome(notified) ? latches[kind].close : Effect.void)),
          Effect.asVoid
        )
    }
  })
}) {
  static readonly layer = Layer.effect(WorkNotifier, WorkNotifier.make)
}
