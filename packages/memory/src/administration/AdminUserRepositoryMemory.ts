import { AdminUser, AdminUserRepository } from "@livery/domain"
import { Option } from "effect"
import { only } from "../store/Fields.ts"
import { ascending, pageOf } from "../store/Pages.ts"
import type { UserRow } from "../store/Rows.ts"
import { anyContains } from "../store/Search.ts"
import { inMemory } from "../store/Store.ts"

export const layer = inMemory(AdminUserRepository, ({ drivers, members, step, users }) => {
  const recordOf = (row: UserRow): AdminUser => {
    const [driver] = drivers
      .where(({ deleted_at, user_id }) => user_id === row.user_id && deleted_at === undefined)
      .toSorted(ascending(({ driver_id }) => [driver_id]))
    return {
      ...only(AdminUser, row),
      driver_id: driver?.driver_id ?? null,
      business_ids: members
        .where(({ user_id }) => user_id === row.user_id)
        .map(({ business_id }) => business_id)
        .toSorted((one, other) => one - other)
    }
  }
  return {
    list: ({ accountType, search }, page) =>
      step(() => {
        const listed = users
          .where(({ account_type }) => accountType === undefined || account_type === accountType)
          .filter(({ email, name }) => anyContains(search, [name, email]))
          .toSorted(ascending(({ user_id }) => [user_id]))
        return pageOf(listed.map(recordOf), page)
      }),
    find: (userId) => step(() => Option.map(Option.fromUndefinedOr(users.get(userId)), recordOf))
  }
})
