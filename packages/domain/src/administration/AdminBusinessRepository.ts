/** The port that reads and changes businesses for super-admins. */
import { Context, type DateTime, type Effect, type Option } from "effect"
import type { BusinessStatus } from "../business/Business.ts"
import type { Conflict } from "../kernel/Errors.ts"
import type { BusinessId } from "../kernel/Ids.ts"
import type { Page, PageRequest } from "../kernel/Page.ts"
import type { AdminBusiness, AdminBusinessInput } from "./AdminBusiness.ts"
import type { UsageCounts } from "./BusinessUsage.ts"

/**
 * - `list`: a page of the businesses, oldest first; with `search`, those that have the text in their name, email or slug,
 *   in any case.
 * - `find`: the business with that id.
 * - `lock`: the same, locked against other changes until the open transaction ends.
 * - `update`: stores the fields that super-admins change; `slugTaken` if another business has the slug, also under
 *   concurrent updates.
 * - `setStatus`, `setCredits`: stores another status or balance of a locked business.
 * - `counts`: the counts of the business's records; those of the month count from `monthStart`.
 */
export class AdminBusinessRepository extends Context.Service<
  AdminBusinessRepository,
  {
    readonly list: (search: string | null, page: PageRequest) => Effect.Effect<Page<AdminBusiness>>
    readonly find: (businessId: BusinessId) => Effect.Effect<Option.Option<AdminBusiness>>
    readonly lock: (businessId: BusinessId) => Effect.Effect<Option.Option<AdminBusiness>>
    readonly update: (
      businessId: BusinessId,
      business: AdminBusinessInput,
      now: DateTime.Utc
    ) => Effect.Effect<AdminBusiness, Conflict>
    readonly setStatus: (
      businessId: BusinessId,
      status: BusinessStatus,
      now: DateTime.Utc
    ) => Effect.Effect<AdminBusiness>
    readonly setCredits: (
      businessId: BusinessId,
      credits: number,
      now: DateTime.Utc
    ) => Effect.Effect<AdminBusiness>
    readonly counts: (businessId: BusinessId, monthStart: DateTime.Utc) => Effect.Effect<UsageCounts>
  }
>()("@livery/domain/AdminBusinessRepository") {}
