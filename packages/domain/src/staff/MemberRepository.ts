/** The port that stores the members of businesses. */
import { Context, type Effect, type Option } from "effect"
import type { Role } from "../business/Role.ts"
import type { BusinessId, UserId } from "../kernel/Ids.ts"
import type { Page, PageRequest } from "../kernel/Page.ts"
import type { Member } from "./Member.ts"

/**
 * - `lock`: locks the members of a business until the open transaction ends. Call it before any change of members, so that
 *   the number of owners cannot change in between.
 * - `list`: a page of the members, by the id of the user.
 * - `find`, `findByEmail`: one member; `None` if the user is no member.
 * - `countOwners`: the number of members with the role `owner`.
 * - `add`: makes a user a member; false, without a change, if the user is one already.
 * - `setRole`, `remove`: changes or removes a member. The calendar link of a removed member ends.
 */
export class MemberRepository extends Context.Service<
  MemberRepository,
  {
    readonly lock: (businessId: BusinessId) => Effect.Effect<void>
    readonly list: (businessId: BusinessId, page: PageRequest) => Effect.Effect<Page<Member>>
    readonly find: (businessId: BusinessId, userId: UserId) => Effect.Effect<Option.Option<Member>>
    readonly findByEmail: (businessId: BusinessId, email: string) => Effect.Effect<Option.Option<Member>>
    readonly countOwners: (businessId: BusinessId) => Effect.Effect<number>
    readonly add: (businessId: BusinessId, userId: UserId, role: Role) => Effect.Effect<boolean>
    readonly setRole: (businessId: BusinessId, userId: UserId, role: Role) => Effect.Effect<void>
    readonly remove: (businessId: BusinessId, userId: UserId) => Effect.Effect<void>
  }
>()("@livery/domain/MemberRepository") {}
