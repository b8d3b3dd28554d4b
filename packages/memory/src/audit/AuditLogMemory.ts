/** The domain's `AuditLog` in memory. */
import { AuditLog, CurrentRequestId } from "@livery/domain"
import { DateTime, Effect, Layer } from "effect"
import { Store } from "../store/Store.ts"

export const layer = Layer.effect(
  AuditLog,
  Effect.map(Store, ({ audit, step }) =>
    AuditLog.of({
      record: (entry) =>
        Effect.gen(function* () {
          const at = yield* DateTime.now
          const requestId = (yield* CurrentRequestId) ?? null
          return yield* step(() => {
            const auditId = audit.next()
            audit.set(auditId, { ...entry, auditId, at, requestId })
          })
        })
    })
  )
)
