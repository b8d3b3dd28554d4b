import { type BusinessId, type DriverId, DriverInvitationRepository } from "@livery/domain"
import { DateTime, Option } from "effect"
import { inMemory } from "../store/Store.ts"

export const layer = inMemory(DriverInvitationRepository, ({ invitations, step }) => {
  const removeAll = (businessId: BusinessId, driverId: DriverId) => {
    const own = invitations.where((one) => one.businessId === businessId && one.driverId === driverId)
    for (const { codeHash } of own) invitations.remove(codeHash)
  }
  const valid = (businessId: BusinessId, codeHash: string, now: DateTime.Utc) => {
    const row = invitations.get(codeHash)
    return row?.businessId === businessId && !row.isUsed && DateTime.isGreaterThan(row.expiresAt, now)
      ? row
      : undefined
  }

  return {
    issue: ({ businessId, codeHash, driverId, email, expiresAt }) =>
      step(() => {
        removeAll(businessId, driverId)
        invitations.set(codeHash, { businessId, codeHash, driverId, email, expiresAt, isUsed: false })
      }),
    invited: (businessId, codeHash, now) =>
      step(() =>
        Option.map(Option.fromUndefinedOr(valid(businessId, codeHash, now)), ({ driverId, email }) => ({
          businessId,
          driverId,
          email
        }))
      ),
    redeem: (businessId, codeHash, now) =>
      step(() => {
        if (valid(businessId, codeHash, now) === undefined) return false
        return invitations.change(codeHash, { isUsed: true }) !== undefined
      }),
    void: (businessId, driverId) => step(() => removeAll(businessId, driverId))
  }
})
