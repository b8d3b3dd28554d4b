/** The port that stores businesses. */
import { Context, type Effect, type Option } from "effect"
import type { BusinessId } from "../kernel/Ids.ts"
import { type UserId } from "../kernel/Ids.ts"
import type { Business } from "./Business.ts"

/**
 * - `insert`: stores a new active business; `None` if its slug is taken.
 * - `addMember`: allows a user to act for the business; no change if the user may already.
 * - `find`: the business with that id.
 */
export class BusinessRepository extends Context.Service<
  BusinessRepository,
  {
    readonly insert: (business: {
      readonly name: string
      readonly email: string
      readonly slug: string
      readonly planId: number
      readonly websiteUrl: string | null
    }) => Effect.Effect<Option.Option<BusinessId>>
    readonly addMember: (businessId: BusinessId, userId: UserId) => Effect.Effect<void>
    readonly find: (businessId: BusinessId) => Effect.Effect<Option.Option<Business>>
  }
>()("@livery/domain/BusinessRepository") {}
