import { type BusinessId, MemberInvitationRepository } from "@livery/domain"
import { DateTime, Option } from "effect"
import { ascending, pageOf } from "../store/Pages.ts"
import { inMemory } from "../store/Store.ts"

export const layer = inMemory(MemberInvitationRepository, ({ memberInvitations, step }) => {
  const valid = (businessId: BusinessId, codeHash: string, now: DateTime.Utc) => {
    const row = memberInvitations.get(codeHash)
    return row?.business_id === businessId && DateTime.isGreaterThan(row.expiresAt, now) ? row : undefined
  }
  return {
    list: (businessId, now, page) =>
      step(() =>
        pageOf(
          memberInvitations
            .where(
              (row) => row.business_id === businessId && valid(businessId, row.codeHash, now) !== undefined
            )
            .toSorted(ascending(({ email }) => [email]))
            .map(({ createdAt, email, expiresAt, name, role }) => ({
              email,
              name,
              role,
              created_at: createdAt,
              expires_at: expiresAt
            })),
          page
        )
      ),
    revoke: (businessId, address, now) =>
      step(() => {
        const row = memberInvitations.find(
          ({ business_id, email }) => business_id === businessId && email === address
        )
        if (row === undefined || valid(businessId, row.codeHash, now) === undefined) return Option.none()
        memberInvitations.remove(row.codeHash)
        return Option.some({ email: row.email, name: row.name, role: row.role })
      }),
    issue: (business_id, invitation, now) =>
      step(() => {
        for (const { codeHash } of memberInvitations.where(
          (row) => row.business_id === business_id && row.email === invitation.email
        ))
          memberInvitations.remove(codeHash)
        memberInvitations.set(invitation.codeHash, { business_id, ...invitation, createdAt: now })
      }),
    find: (businessId, codeHash, now) =>
      step(() =>
        Option.map(Option.fromUndefinedOr(valid(businessId, codeHash, now)), ({ email, name, role }) => ({
          email,
          name,
          role
        }))
      ),
    redeem: (businessId, codeHash, now) =>
      step(() => valid(businessId, codeHash, now) !== undefined && memberInvitations.remove(codeHash))
  }
})
