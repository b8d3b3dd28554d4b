/** The limits of emails: a stranger who knows an address must not be able to fill its mailbox. */
import { Effect } from "effect"
import { TooManyRequests } from "../kernel/Errors.ts"
import type { BusinessId } from "../kernel/Ids.ts"
import { Cryptography } from "../kernel/security/Cryptography.ts"
import { MailOutbox } from "./MailOutbox.ts"

/**
 * The most emails within an hour: to one recipient for each {@link MailPurpose}, and from one business. The email of a sign-up
 * is not counted, because an address signs up once.
 */
const maximumMailsPerHour = { recipient: 5, business: 100 }

/**
 * The purposes whose emails are counted apart. A stranger can cause those of each purpose; counted together, they would keep the
 * owner of an address from resetting a password.
 */
export type MailPurpose = "verification" | "reset" | "invitation" | "booking"

/**
 * Builds the functions that count an email in the open transaction. `countRecipient` returns 0, or the seconds until the
 * next email may be sent; `requireInvitation` counts an invitation for its business and its recipient, and fails beyond a
 * limit. An address is counted in the same way whether or not it has an account, so that neither the result nor the
 * duration reveals that.
 */
export const makeMailLimits = Effect.gen(function* () {
  const outbox = yield* MailOutbox
  const cryptography = yield* Cryptography

  const countRecipient = Effect.fnUntraced(function* (purpose: MailPurpose, email: string) {
    const hash = yield* cryptography.sha256(email)
    return yield* outbox.count(`recipient:${purpose}:${hash}`, maximumMailsPerHour.recipient)
  })

  const countBusiness = (businessId: BusinessId) =>
    outbox.count(`business:${businessId}`, maximumMailsPerHour.business)

  const requireInvitation = Effect.fnUntraced(function* (businessId: BusinessId, email: string) {
    const retryAfterSeconds =
      (yield* countBusiness(businessId)) || (yield* countRecipient("invitation", email))
    if (retryAfterSeconds > 0) return yield* new TooManyRequests({ retryAfterSeconds })
  })

  return { countRecipient, requireInvitation }
})
