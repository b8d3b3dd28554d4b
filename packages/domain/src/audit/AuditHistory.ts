/** The port that reads the audit log. */
import { Context, type Effect } from "effect"
import type { Page, PageRequest } from "../kernel/Page.ts"
import type { AuditFilter, StoredAuditEntry } from "./AuditRecord.ts"

/** - `list`: a page of the entries, newest first: those that match each filter that is given. */
export class AuditHistory extends Context.Service<
  AuditHistory,
  {
    readonly list: (
      filter: AuditFilter & { readonly businessId?: number | undefined },
      page: PageRequest
    ) => Effect.Effect<Page<StoredAuditEntry>>
  }
>()("@livery/domain/AuditHistory") {}
