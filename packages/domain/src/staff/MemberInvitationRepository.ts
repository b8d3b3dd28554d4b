/** The port that stores the invitations of members. */
import { Context, type DateTime, type Effect, type Option } from "effect"
import type { Role } from "../business/Role.ts"
import type { BusinessId } from "../kernel/Ids.ts"
import type { Page, PageRequest } from "../kernel/Page.ts"
import type { OpenInvitation } from "./MemberInvitation.ts"

/** An invitation that is not accepted yet; the code itself is stored as its SHA-256 only. */
export interface InvitedMember {
  readonly email: string
  readonly name: string | null
  readonly role: Role
}

/**
 * - `issue`: stores an invitation, valid until `expiresAt`. It replaces an earlier one of the business to that address.
 * - `list`: a page of the business's invitations that are valid at `now`, by address.
 * - `revoke`: deletes the business's invitation to an address; `None` if there is none that is valid at `now`.
 * - `find`: the invitation with that code; `None` if it is unknown, used, replaced or expired.
 * - `redeem`: uses the invitation up; false if there is none to use. Of concurrent calls, one returns true.
 */
export class MemberInvitationRepository extends Context.Service<
  MemberInvitationRepository,
  {
    readonly issue: (
      businessId: BusinessId,
      invitation: InvitedMember & { readonly codeHash: string; readonly expiresAt: DateTime.Utc },
      now: DateTime.Utc
    ) => Effect.Effect<void>
    readonly list: (
      businessId: BusinessId,
      now: DateTime.Utc,
      page: PageRequest
    ) => Effect.Effect<Page<OpenInvitation>>
    readonly revoke: (
      businessId: BusinessId,
      email: string,
      now: DateTime.Utc
    ) => Effect.Effect<Option.Option<InvitedMember>>
    readonly find: (
      businessId: BusinessId,
      codeHash: string,
      now: DateTime.Utc
    ) => Effect.Effect<Option.Option<InvitedMember>>
    readonly redeem: (businessId: BusinessId, codeHash: string, now: DateTime.Utc) => Effect.Effect<boolean>
  }
>()("@livery/domain/MemberInvitationRepository") {}
