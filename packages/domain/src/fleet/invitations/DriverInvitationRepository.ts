/** The port that stores drivers' invitations, with the hashes of their codes. */
import { Context, type DateTime, type Effect, type Option } from "effect"
import type { BusinessId, DriverId } from "../../kernel/Ids.ts"
import type { Invited } from "./DriverInvitation.ts"

/**
 * Lock the driver first.
 *
 * - `issue`: stores an invitation and deletes the driver's earlier ones.
 * - `invited`: the driver of the business that a code invites; `None` if the code is unknown, used or expired.
 * - `redeem`: marks the code as used; false if it is unknown, used or expired. Of two concurrent calls one succeeds.
 * - `void`: deletes a driver's invitations.
 */
export class DriverInvitationRepository extends Context.Service<
  DriverInvitationRepository,
  {
    readonly issue: (
      invitation: Invited & { readonly codeHash: string; readonly expiresAt: DateTime.Utc },
      now: DateTime.Utc
    ) => Effect.Effect<void>
    readonly invited: (
      businessId: BusinessId,
      codeHash: string,
      now: DateTime.Utc
    ) => Effect.Effect<Option.Option<Invited>>
    readonly redeem: (businessId: BusinessId, codeHash: string, now: DateTime.Utc) => Effect.Effect<boolean>
    readonly void: (businessId: BusinessId, driverId: DriverId) => Effect.Effect<void>
  }
>()("@livery/domain/DriverInvitationRepository") {}
