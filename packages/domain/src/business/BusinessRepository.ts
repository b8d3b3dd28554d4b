/** The port that stores businesses. */
import { Context, type Effect, type Option } from "effect"
import type { BusinessId } from "../kernel/Ids.ts"
import { type UserId } from "../kernel/Ids.ts"
import type { DateRange } from "../kernel/time/DateRange.ts"
import type { Brand } from "./Brand.ts"
import type { Business } from "./Business.ts"
import type { Role } from "./Role.ts"

/**
 * - `insert`: stores a new active business; `None` if its slug is taken.
 * - `addMember`: makes a user a member with that role; no change if the user is a member already.
 * - `find`: the business with that id.
 * - `linkKeyOf`: the key by which links name the business (`BusinessTokens`). It never changes.
 * - `findByLinkKey`: the business with that key.
 * - `brand`: how that business presents itself to its customers.
 * - `holidays`: the holidays of that business, which repeats of trips can leave out.
 * - `takeEmailCredit`: takes one email credit off the business and returns how many are left; `None`, and no change, if it
 *   has none. In a transaction, it locks the business.
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
    readonly addMember: (businessId: BusinessId, userId: UserId, role: Role) => Effect.Effect<void>
    readonly find: (businessId: BusinessId) => Effect.Effect<Option.Option<Business>>
    readonly linkKeyOf: (businessId: BusinessId) => Effect.Effect<string>
    readonly findByLinkKey: (key: string) => Effect.Effect<Option.Option<BusinessId>>
    readonly brand: (businessId: BusinessId) => Effect.Effect<Option.Option<Brand>>
    readonly holidays: (businessId: BusinessId) => Effect.Effect<ReadonlyArray<DateRange>>
    readonly takeEmailCredit: (businessId: BusinessId) => Effect.Effect<Option.Option<number>>
  }
>()("@livery/domain/BusinessRepository") {}
