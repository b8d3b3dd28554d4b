import {
  type BusinessId,
  BusinessProfile,
  BusinessProfileInput,
  BusinessProfileRepository,
  slugTaken
} from "@livery/domain"
import { Effect, Option } from "effect"
import { only } from "../store/Fields.ts"
import { inMemory } from "../store/Store.ts"

export const layer = inMemory(BusinessProfileRepository, ({ businesses, step }) => {
  const find = (businessId: BusinessId) =>
    step(() =>
      Option.map(Option.fromUndefinedOr(businesses.get(businessId)), (row) => only(BusinessProfile, row))
    )

  return {
    find,
    findBySlug: (slug) =>
      step(() =>
        Option.map(
          Option.fromUndefinedOr(businesses.find(({ vendor_slug }) => vendor_slug === slug)),
          (row) => only(BusinessProfile, row)
        )
      ),
    lock: find,
    update: (businessId, profile, now) =>
      step(() => {
        const isTaken = businesses.find(
          ({ business_id, vendor_slug }) => vendor_slug === profile.vendor_slug && business_id !== businessId
        )
        if (isTaken) return "taken"
        return businesses.change(businessId, { ...only(BusinessProfileInput, profile), updated_at: now })
      }).pipe(
        Effect.flatMap((updated) =>
          updated === "taken" ? Effect.fail(slugTaken()) : Effect.orDie(Effect.fromNullishOr(updated))
        ),
        Effect.map((row) => only(BusinessProfile, row))
      )
  }
})
