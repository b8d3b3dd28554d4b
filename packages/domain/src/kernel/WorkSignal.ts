/**
 * The bell between who commits work and who does it, in one process. It is only ever an accelerator: work is
 * stored first and found by looking, so that a lost ring costs a moment and never the work.
 */
import { Context, Effect, Latch, Layer, Option } from "effect"
import type { Duration } from "effect"

/** Which queue there is news in. */
export type WorkKind = "deliveries" | "mail"

/**
 * - `ring`: there may be new work of that kind.
 * - `heard`: waits for a ring since the last time it was heard, for at most `atMost`.
 */
export class WorkSignal extends Context.Service<
  WorkSignal,
  {
    readonly ring: (kind: WorkKind) => Effect.Effect<void>
    readonly heard: (kind: WorkKind, atMost: Duration.Duration) => Effect.Effect<void>
  }
>()("@livery/domain/WorkSignal") {
  static readonly layer = Layer.sync(WorkSignal, () => {
    const bells = { deliveries: Latch.makeUnsafe(), mail: Latch.makeUnsafe() }
    return WorkSignal.of({
      ring: (kind) => Effect.asVoid(bells[kind].open),
      heard: (kind, atMost) =>
        bells[kind].await.pipe(
          Effect.timeoutOption(atMost),
          Effect.tap((ring) => (Option.isSome(ring) ? bells[kind].close : Effect.void)),
          Effect.asVoid
        )
    })
  })
}
