/** The port that reads users for super-admins, and their businesses. */
import { Context, type Effect, type Option } from "effect"
import type { UserId } from "../kernel/Ids.ts"
import type { Page, PageRequest } from "../kernel/Page.ts"
import type { AccountType } from "../identity/users/User.ts"
import type { AdminUser } from "./AdminUser.ts"

/**
 * - `list`: a page of the users, oldest first; with `search`, those that have the text in their name or email, in any
 *   case; with `accountType`, those of that type.
 * - `find`: the user with that id.
 */
export class AdminUserRepository extends Context.Service<
  AdminUserRepository,
  {
    readonly list: (
      filter: { readonly search: string | null; readonly accountType: AccountType | undefined },
      page: PageRequest
    ) => Effect.Effect<Page<AdminUser>>
    readonly find: (userId: UserId) => Effect.Effect<Option.Option<AdminUser>>
  }
>()("@livery/domain/AdminUserRepository") {}
