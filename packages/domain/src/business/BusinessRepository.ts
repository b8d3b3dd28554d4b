import { Context, type Effect, type Option } from "effect"
import type { BusinessId } from "../kernel/Ids.ts"
import { type UserId } from "../kernel/Ids.ts"
import type { Business } from "./Business.ts"

/**
 * The port that stores businesses.
 *
 * - `insert`: a new active business; `None` if its slug is taken.
 * - `addMember`: lets a user act for the business; again is a no-op.
 * - `find`: the business of that id.
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
