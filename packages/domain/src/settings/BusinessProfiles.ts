/** Reading and changing the profile of a business. */
import { Context, DateTime, Effect, Equal, Layer } from "effect"
import { makeAuditTrail } from "../audit/AuditTrail.ts"
import { changedFields } from "../audit/ChangedFields.ts"
import { brandRecord } from "../business/Brand.ts"
import type { ActingBusiness } from "../business/Business.ts"
import { CredentialCache } from "../identity/credentials/CredentialCache.ts"
import { CurrentActor } from "../kernel/CurrentActor.ts"
import { dunningIssues } from "../billing/reminders/Dunning.ts"
import { untaxedAfter, untaxedIssues } from "../billing/invoice/Untaxed.ts"
import { orNotFound, refuseIssues } from "../kernel/Errors.ts"
import { type Precondition, unconditional } from "../kernel/Precondition.ts"
import { atomically, Transaction } from "../kernel/Transaction.ts"
import {
  type BusinessProfile,
  type BusinessProfileChanges,
  BusinessProfileInput,
  type BusinessProfileRecord,
  businessProfileRecord
} from "./BusinessProfile.ts"
import { BusinessProfileRepository } from "./BusinessProfileRepository.ts"
import { traced } from "../kernel/TracedFunction.ts"

/** The names of the fields that callers may change. */
const changeable = Object.keys(BusinessProfileInput.fields) as ReadonlyArray<keyof BusinessProfileInput>

export class BusinessProfiles extends Context.Service<BusinessProfiles>()("@livery/domain/BusinessProfiles", {
  make: Effect.gen(function* () {
    const transaction = yield* Transaction
    const profiles = yield* BusinessProfileRepository
    const credentials = yield* CredentialCache
    const writeAudit = yield* makeAuditTrail

    const requireBusiness = orNotFound("business")

    const store = Effect.fnUntraced(function* (current: BusinessProfile, changed: BusinessProfileInput) {
      const businessId = current.business_id
      const stored = yield* profiles.update(businessId, changed, yield* DateTime.now)
      yield* writeAudit({
        actor: yield* CurrentActor,
        action: "business.settings_changed",
        subject: `business:${businessId}`,
        businessId,
        before: changedFields(changeable, current, stored),
        after: changedFields(changeable, stored, current)
      })
      yield* transaction.afterCommit(credentials.invalidateAll)
      return stored
    })

    return {
      /** The acting business's profile. */
      read: traced("BusinessProfiles.read")(function* (acting: ActingBusiness) {
        return businessProfileRecord(yield* requireBusiness(yield* profiles.find(acting.business_id)))
      }),

      /** How a business presents itself, with the phone number of its office. */
      brand: traced("BusinessProfiles.brand")(function* (acting: ActingBusiness) {
        return brandRecord(yield* requireBusiness(yield* profiles.find(acting.business_id)))
      }),

      /**
       * Changes the given fields and writes the change to the audit log. This node uses a new name, clock or currency
       * immediately, other nodes within a second. Trips keep the currency and the instant that they were booked with:
       * a new clock changes only how that instant is written. `Conflict` if the slug is taken.
       */
      update: traced("BusinessProfiles.update")(function* (
        acting: ActingBusiness,
        changes: Omit<BusinessProfileChanges, "logo_upload_id">,
        precondition: Precondition<BusinessProfileRecord> = unconditional
      ) {
        return yield* atomically(transaction, function* () {
          const current = yield* requireBusiness(yield* profiles.lock(acting.business_id))
          yield* precondition(businessProfileRecord(current))
          const untaxed = untaxedAfter(current, changes, current)
          const { currency = current.currency, dunning } = changes
          yield* refuseIssues([
            ...untaxedIssues(untaxed),
            ...(dunning === undefined ? [] : dunningIssues(dunning, currency))
          ])
          const changed = { ...current, ...changes, ...untaxed }
          return businessProfileRecord(
            Equal.equals(changed, current) ? current : yield* store(current, changed)
          )
        })
      })
    }
  })
}) {
  static readonly layer = Layer.effect(BusinessProfiles, BusinessProfiles.make)
}
