/** A driver's invitation: a code by email that is valid for a week and for one use. */
import { Duration, Effect, Option, Schema } from "effect"
import { codeLength, newCode } from "../../identity/users/VerificationCode.ts"
import { BusinessId, type DriverId } from "../../kernel/Ids.ts"
import { crockfordNumber, readCrockford, readCrockfordNumber } from "../../kernel/security/Crockford.ts"
import { hasLink } from "../../kernel/fields/Name.ts"

/** An invitation is valid for this long. */
export const invitationLifetime = Duration.days(7)

const isBusinessId = Schema.is(BusinessId)

/**
 * A new code: the business's id in base 32, and the random symbols of {@link newCode}, as in `1A-7KQ2-…`. The id binds
 * the look-up of the code to one business.
 */
export const newInvitationCode = (businessId: BusinessId) =>
  Effect.map(newCode, (code) => `${crockfordNumber(businessId)}-${code}`)

/** The business in a code that a person typed; `None` if the code is malformed. */
export const businessOfCode = (typed: string): Option.Option<BusinessId> =>
  Option.liftPredicate(readCrockfordNumber(readCrockford(typed).slice(0, -codeLength)), isBusinessId)

/** The driver that an invitation invites, and the address that it was sent to. */
export interface Invited {
  readonly businessId: BusinessId
  readonly driverId: DriverId
  readonly email: string
}

/**
 * The name of a business in an email. A name that was stored before names were checked may contain line breaks or a
 * URL.
 */
export const nameInMessage = (businessName: string): string =>
  hasLink(businessName) ? "A business" : businessName.replaceAll(/[\s\p{Cc}]+/gu, " ")

/**
 * The text of an invitation's email. It does not contain the driver's name, because the business typed it and the
 * address may belong to another person.
 */
export const invitationText = (invitation: {
  readonly business: string
  readonly code: string
  readonly link: string | undefined
}): string =>
  [
    "Hello,",
    "",
    `${invitation.business} invites you to its drivers' app. Your code is:`,
    "",
    `    ${invitation.code}`,
    "",
    ...(invitation.link === undefined ? [] : ["or follow this link:", "", invitation.link, ""]),
    "The code is valid for a week and can be used once. If you do not drive for them, ignore this message.",
    ""
  ].join("\n")
