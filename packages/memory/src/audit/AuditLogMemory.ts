import { AuditLog, CurrentRequestId } from "@livery/domain"
import { DateTime, Effect } from "effect"
import { inMemory } from "../store/Store.ts"

export const layer = inMemory(AuditLog, ({ audit, step }) => ({
  record: (entry) =>
    Effect.gen(function* () {
      const at = yield* DateTime.now
      const requestId = (yield* CurrentRequestId) ?? null
      return yield* step(() => {
        const auditId = audit.next()
        audit.set(auditId, { ...entry, auditId, at, requestId })
      })
    })
}))
