/** The limits of emails: a stranger who knows an address must not be able to fill its mailbox. */
import { Effect } from "effect"
import type { BusinessId } from "../kernel/Ids.ts"
import { Cryptography } from "../kernel/security/Cryptography.ts"
import { MailOutbox } from "./MailOutbox.ts"

/**
 * The most emails within an hour: to one recipient, with codes and invitations counted together, and from one business.
 * The email of a sign-up is not counted, because an address signs up once.
 */
export const maximumMailsPerHour = { recipient: 5, business: 100 }

/**
 * Builds the functions that count an email in the open transaction. They return 0, or the seconds until the next email may
 * be sent. An address is counted in the same way whether or not it has an account, so that neither the result nor the
 * duration reveals that.
 */
export const makeMailLimits = Effect.gen(function* () {
  const outbox = yield* MailOutbox
  const cryptography = yield* Cryptography
  return {
    countRecipient: Effect.fnUntraced(function* (email: string) {
      const hash = yield* cryptography.sha256(email)
      return yield* outbox.count(`recipient:${hash}`, maximumMailsPerHour.recipient)
    }),
    countBusiness: (businessId: BusinessId) =>
      outbox.count(`business:${businessId}`, maximumMailsPerHour.business)
  }
})
