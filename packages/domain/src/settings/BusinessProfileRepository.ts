/** The port that stores the profiles of businesses. */
import { Context, type DateTime, type Effect, type Option } from "effect"
import { Conflict } from "../kernel/Errors.ts"
import type { BusinessId } from "../kernel/Ids.ts"
import type { BusinessProfile, BusinessProfileInput } from "./BusinessProfile.ts"

/** The error of a slug that another business has. It does not name that business. */
export const slugTaken = () => new Conflict({ reason: "Another business has that vendor_slug" })

/**
 * - `find`: the profile of that business; `None` if the business is absent.
 * - `findBySlug`: the profile of the business with that slug.
 * - `lock`: the same as `find`, locked against other changes until the open transaction ends.
 * - `update`: stores a profile; {@link slugTaken} if another business has its slug, also under concurrent updates.
 */
export class BusinessProfileRepository extends Context.Service<
  BusinessProfileRepository,
  {
    readonly find: (businessId: BusinessId) => Effect.Effect<Option.Option<BusinessProfile>>
    readonly findBySlug: (slug: string) => Effect.Effect<Option.Option<BusinessProfile>>
    readonly lock: (businessId: BusinessId) => Effect.Effect<Option.Option<BusinessProfile>>
    readonly update: (
      businessId: BusinessId,
      profile: BusinessProfileInput,
      now: DateTime.Utc
    ) => Effect.Effect<BusinessProfile, Conflict>
  }
>()("@livery/domain/BusinessProfileRepository") {}
