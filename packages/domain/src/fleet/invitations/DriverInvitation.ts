/** A driver's invitation: a code by email that is valid for a week and for one use. */
import { Duration, Effect, Option, Schema } from "effect"
import { linkKeyLength, makeBusinessTokens } from "../../business/BusinessTokens.ts"
import { codeLength, newCode } from "../../identity/users/VerificationCode.ts"
import { BusinessId, type DriverId } from "../../kernel/Ids.ts"
import { Cryptography } from "../../kernel/security/Cryptography.ts"
import { readCrockford, readCrockfordNumber } from "../../kernel/security/Crockford.ts"
import { hasLink } from "../../kernel/fields/Name.ts"

/** An invitation is valid for this long. */
export const invitationLifetime = Duration.days(7)

const isBusinessId = Schema.is(BusinessId)

/**
 * - `newInvitationCode`: a new code: the business's link key, and the random symbols of {@link newCode}, as in
 *   `B3F0A9C27D41-7KQ2-…`. The key binds the look-up of the code to one business.
 * - `businessOfCode`: the business in a code that a person typed; `None` if the code is malformed. A code from before there
 *   were keys begins with the id in base 32.
 */
export const makeInvitationCodes = Effect.map(
  Effect.all([makeBusinessTokens, Cryptography]),
  ([{ businessOfKey, linkKeyOf }, cryptography]) => {
    const newInvitationCode = Effect.fnUntraced(function* (businessId: BusinessId) {
      const code = yield* Effect.provideService(newCode, Cryptography, cryptography)
      return `${(yield* linkKeyOf(businessId)).toUpperCase()}-${code}`
    })

    const businessOfCode = (typed: string): Effect.Effect<Option.Option<BusinessId>> => {
      const key = readCrockford(typed).slice(0, -codeLength)
      return key.length === linkKeyLength
        ? businessOfKey(key.toLowerCase())
        : Effect.succeed(Option.liftPredicate(readCrockfordNumber(key), isBusinessId))
    }

    return { newInvitationCode, businessOfCode }
  }
)

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
