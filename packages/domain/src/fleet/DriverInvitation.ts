/** What a driver is invited with: a code by mail, good for a week and for one use. */
import { Context, type DateTime, Duration, type Effect, type Option, Schema } from "effect"
import { NewPassword } from "../identity/PasswordHasher.ts"
import type { BusinessId, DriverId } from "../kernel/Ids.ts"
import { optionalText, text } from "../kernel/fields/Text.ts"

/** How long an invitation is good. */
export const invitationLifetime = Duration.days(7)

/** What `POST /auth/accept-invitation` takes; without a `name`, the driver's is the account's. */
export const InvitationAcceptance = Schema.Struct({
  code: text(100),
  password: NewPassword,
  name: optionalText(200)
})
export type InvitationAcceptance = typeof InvitationAcceptance.Type

/** What it answers: the account that signs in as that driver of that business. */
export const InvitationResult = Schema.Struct({
  user_id: Schema.Int,
  driver_id: Schema.Int,
  business_id: Schema.Int
})
export type InvitationResult = typeof InvitationResult.Type

/** Whom an invitation invites, and the address that it went to. */
export interface Invited {
  readonly businessId: BusinessId
  readonly driverId: DriverId
  readonly email: string
}

/** Where the link in an invitation leads, for a code; undefined where people have no page to be led to. */
export const InvitationLink = Context.Reference<((code: string) => string) | undefined>(
  "@livery/domain/InvitationLink",
  { defaultValue: () => undefined }
)

/** The text of an invitation. */
export const invitationLetter = (letter: {
  readonly name: string
  readonly business: string
  readonly code: string
  readonly link: string | undefined
}): string =>
  [
    `Hello ${letter.name},`,
    "",
    `${letter.business} invites you to its drivers' app. Your code is:`,
    "",
    `    ${letter.code}`,
    "",
    ...(letter.link === undefined ? [] : ["or follow this link:", "", letter.link, ""]),
    "It is good for a week and for one use. If you do not drive for them, there is nothing to do.",
    ""
  ].join("\n")

/**
 * The port that stores invitations, of whose codes only the hash. Hold the driver before.
 *
 * - `issue`: an invitation of a driver; the earlier ones are gone.
 * - `invited`: whom a code invites, as long as it could be redeemed.
 * - `redeem`: uses the code up; false if it is unknown, used, void or expired. Of two at once, one gets it.
 * - `void`: a driver's invitations are good for nothing any more.
 */
export class DriverInvitationRepository extends Context.Service<
  DriverInvitationRepository,
  {
    readonly issue: (
      invitation: Invited & { readonly codeHash: string; readonly expiresAt: DateTime.Utc },
      now: DateTime.Utc
    ) => Effect.Effect<void>
    readonly invited: (codeHash: string, now: DateTime.Utc) => Effect.Effect<Option.Option<Invited>>
    readonly redeem: (businessId: BusinessId, codeHash: string, now: DateTime.Utc) => Effect.Effect<boolean>
    readonly void: (businessId: BusinessId, driverId: DriverId) => Effect.Effect<void>
  }
>()("@livery/domain/DriverInvitationRepository") {}
