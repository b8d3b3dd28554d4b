/** The port that stores templates of trips. */
import { Context, type DateTime, type Effect, type Option } from "effect"
import type { BusinessId, TripTemplateId } from "../../kernel/Ids.ts"
import type { Page, PageRequest } from "../../kernel/Page.ts"
import type { TripTemplate } from "./TripTemplate.ts"

/** What callers set of a template. */
export type TripTemplateContent = Pick<TripTemplate, "name" | "trip">

/**
 * - `insert`: stores a template; `None` if the business has `maxTripTemplates` of them. Concurrent requests of a business wait for
 *   each other.
 * - `list`: a page of the templates by name.
 * - `find`: the business's template with that id; `None` if it is absent or another business's.
 * - `lock`: the same, and locks the template until the transaction ends.
 * - `update`: changes the given parts of a locked template, and returns it.
 * - `remove`: deletes a locked template.
 */
export class TripTemplateRepository extends Context.Service<
  TripTemplateRepository,
  {
    readonly insert: (
      businessId: BusinessId,
      content: TripTemplateContent,
      now: DateTime.Utc
    ) => Effect.Effect<Option.Option<TripTemplate>>
    readonly list: (businessId: BusinessId, page: PageRequest) => Effect.Effect<Page<TripTemplate>>
    readonly find: (
      businessId: BusinessId,
      templateId: TripTemplateId
    ) => Effect.Effect<Option.Option<TripTemplate>>
    readonly lock: (
      businessId: BusinessId,
      templateId: TripTemplateId
    ) => Effect.Effect<Option.Option<TripTemplate>>
    readonly update: (
      businessId: BusinessId,
      templateId: TripTemplateId,
      changes: Partial<TripTemplateContent>,
      now: DateTime.Utc
    ) => Effect.Effect<TripTemplate>
    readonly remove: (businessId: BusinessId, templateId: TripTemplateId) => Effect.Effect<void>
  }
>()("@livery/domain/TripTemplateRepository") {}
