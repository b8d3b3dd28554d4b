/** The domain's `MemberInvitationRepository` in memory. */
import { type BusinessId, MemberInvitationRepository } from "@livery/domain"
import { DateTime, Effect, Layer, Option } from "effect"
import { Store } from "../store/Store.ts"

export const layer = Layer.effect(
  MemberInvitationRepository,
  Effect.map(Store, ({ memberInvitations, step }) => {
    const valid = (businessId: BusinessId, codeHash: string, now: DateTime.Utc) => {
      const row = memberInvitations.get(codeHash)
      return row?.business_id === businessId && DateTime.isGreaterThan(row.expiresAt, now) ? row : undefined
    }
    return MemberInvitationRepository.of({
      issue: (business_id, invitation) =>
        step(() => {
          for (const { codeHash } of memberInvitations.where(
            (row) => row.business_id === business_id && row.email === invitation.email
          ))
            memberInvitations.remove(codeHash)
          memberInvitations.set(invitation.codeHash, { business_id, ...invitation })
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
    })
  })
)
