/** The audit log, for super-admins. */
import { Context, Effect, Layer } from "effect"
import { AuditHistory } from "../audit/AuditHistory.ts"
import { type AuditFilter, auditRecord, type AuditRecord } from "../audit/AuditRecord.ts"
import { mapPage, type Page, type PageRequest } from "../kernel/Page.ts"
import { traced } from "../kernel/TracedFunction.ts"

/** - `list`: the entries of the audit log, newest first; with filters, those that match all of them. */
export class AdminAudit extends Context.Service<
  AdminAudit,
  {
    readonly list: (
      filter: AuditFilter & { readonly businessId?: number | undefined },
      page: PageRequest
    ) => Effect.Effect<Page<AuditRecord>>
  }
>()("@livery/domain/AdminAudit") {
  static readonly layer = Layer.effect(
    AdminAudit,
    Effect.map(AuditHistory, (history) =>
      AdminAudit.of({
        list: traced("AdminAudit.list")(function* (filter, page) {
          return mapPage(yield* history.list(filter, page), auditRecord)
        })
      })
    )
  )
}
