/** The domain's `AuditLog` in memory. */
import { AuditLog } from "@livery/domain"
import { DateTime, Effect, Layer } from "effect"
import { Store } from "../store/Store.ts"

export const layer = Layer.effect(
  AuditLog,
  Effect.map(Store, ({ audit, step }) =>
    AuditLog.of({
      record: (entry) =>
        Effect.flatMap(DateTime.now, (at) => step(() => void audit.set(audit.next(), { ...entry, at })))
    })
  )
)
