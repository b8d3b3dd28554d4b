import { type BusinessId, type Member, MemberRepository } from "@livery/domain"
import { DateTime, Effect, Option } from "effect"
import { ascending, pageOf } from "../store/Pages.ts"
import type { MemberRow } from "../store/Rows.ts"
import { pair, inMemory } from "../store/Store.ts"

export const layer = inMemory(MemberRepository, ({ calendarLinks, members, step, users }) => {
  const memberOf = ({ created_at, role, user_id }: MemberRow): ReadonlyArray<Member> => {
    const user = users.get(user_id)
    return user === undefined ? [] : [{ user_id, name: user.name, email: user.email, role, created_at }]
  }
  const membersOf = (businessId: BusinessId) =>
    members
      .where(({ business_id }) => business_id === businessId)
      .flatMap(memberOf)
      .toSorted(ascending(({ user_id }) => [user_id]))
  const one = (businessId: BusinessId, matches: (member: Member) => boolean) =>
    step(() => Option.fromUndefinedOr(membersOf(businessId).find(matches)))

  return {
    // Transactions run one after the other.
    lock: () => Effect.void,
    list: (businessId, page) => step(() => pageOf(membersOf(businessId), page)),
    find: (businessId, userId) => one(businessId, ({ user_id }) => user_id === userId),
    findByEmail: (businessId, address) => one(businessId, ({ email }) => email === address),
    countOwners: (businessId) =>
      step(() => membersOf(businessId).filter(({ role }) => role === "owner").length),
    add: (business_id, user_id, role) =>
      Effect.flatMap(DateTime.now, (created_at) =>
        step(() => {
          const key = pair(business_id, user_id)
          if (members.get(key) !== undefined) return false
          members.set(key, { business_id, user_id, role, created_at })
          return true
        })
      ),
    setRole: (businessId, userId, role) =>
      step(() => void members.change(pair(businessId, userId), { role })),
    remove: (businessId, userId) =>
      step(() => {
        calendarLinks.remove(pair(businessId, `office:${userId}`))
        members.remove(pair(businessId, userId))
      })
  }
})
