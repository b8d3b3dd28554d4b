/** The audit log, for super-admins. */
import { Context, Effect, Layer } from "effect"
import { AuditHistory } from "../audit/AuditHistory.ts"
import { type AuditFilter, auditRecord } from "../audit/AuditRecord.ts"
import { mapPage, type PageRequest } from "../kernel/Page.ts"
import { traced } from "../kernel/TracedFunction.ts"

export class AdminAudit extends Context.Service<AdminAudit>()("@livery/domain/AdminAudit", {
  make: Effect.gen(function* () {
    const history = yield* AuditHistory
    return {
      /** The entries of the audit log, newest first; with filters, those that match all of them. */
      list: traced("AdminAudit.list")(function* (
        filter: AuditFilter & { readonly businessId?: number | undefined },
        page: PageRequest
      ) {
        return mapPage(yield* history.list(filter, page), auditRecord)
      })
    }
  })
}) {
  static readonly layer = Layer.effect(AdminAudit, AdminAudit.make)
}
