/** Administration of businesses by super-admins (docs/api/administration.md). */
import { Context, DateTime, Effect, Equal, Layer, Option, type Schema } from "effect"
import { makeAuditTrail } from "../audit/AuditTrail.ts"
import { changedFields } from "../audit/ChangedFields.ts"
import { businessMachine } from "../business/Business.ts"
import { makeDriverSeats } from "../fleet/seats/DriverSeats.ts"
import { SeatSubscriptions } from "../fleet/seats/SeatSubscriptions.ts"
import { CredentialCache } from "../identity/credentials/CredentialCache.ts"
import { CurrentActor } from "../kernel/CurrentActor.ts"
import { decodeWithReferences } from "../kernel/fields/References.ts"
import { invalidField, InvalidInput, orNotFound } from "../kernel/Errors.ts"
import type { BusinessId } from "../kernel/Ids.ts"
import { mapPage, type PageRequest } from "../kernel/Page.ts"
import { type Precondition, unconditional } from "../kernel/Precondition.ts"
import { monthOf } from "../kernel/time/Month.ts"
import { atomically, Transaction } from "../kernel/Transaction.ts"
import {
  type AdminBusiness,
  AdminBusinessChanges,
  type AdminBusinessFilter,
  AdminBusinessInput,
  type AdminBusinessPatch,
  adminBusinessRecord,
  type AdminBusinessRecord,
  type CreditsInput,
  maxEmailCredits,
  statusAfter,
  type SuspensionInput
} from "./AdminBusiness.ts"
import { AdminBusinessRepository } from "./AdminBusinessRepository.ts"
import { businessUsageRecord } from "./BusinessUsage.ts"
import { PlanCatalogue } from "./PlanCatalogue.ts"
import { planRecord } from "./PlanRecord.ts"
import { traced } from "../kernel/TracedFunction.ts"

/** The names of the fields that super-admins may change. */
const changeable = Object.keys(AdminBusinessInput.fields) as ReadonlyArray<keyof AdminBusinessInput>

/** The change of an audited field. */
interface Change {
  readonly action: string
  readonly before: Schema.Json
  readonly after: Schema.Json
  readonly reason?: string | null | undefined
}

/** `NotFound` if there is no such business. Each change is in the audit log, with its author and the reason. */
export class AdminBusinesses extends Context.Service<AdminBusinesses>()("@livery/domain/AdminBusinesses", {
  make: Effect.gen(function* () {
    const transaction = yield* Transaction
    const businesses = yield* AdminBusinessRepository
    const plans = yield* PlanCatalogue
    const credentials = yield* CredentialCache
    const subscriptions = yield* SeatSubscriptions
    const { endSurplus } = yield* makeDriverSeats
    const writeAudit = yield* makeAuditTrail

    const requireBusiness = orNotFound("business")

    const record = Effect.fnUntraced(function* (businessId: BusinessId, { reason, ...change }: Change) {
      yield* writeAudit({
        ...change,
        actor: yield* CurrentActor,
        subject: `business:${businessId}`,
        businessId,
        ...(reason === null || reason === undefined ? {} : { reason })
      })
    })

    const planExists = (planId: number) => Effect.map(plans.find(planId), Option.isSome)

    const store = Effect.fnUntraced(function* (current: AdminBusiness, changed: AdminBusinessInput) {
      if (!(yield* planExists(changed.subscription_plan_id)))
        return yield* invalidField("subscription_plan_id", "not_found")
      const stored = yield* businesses.update(current.business_id, changed, yield* DateTime.now)
      if (stored.subscription_item_id !== current.subscription_item_id)
        yield* subscriptions.scheduleReconciliation(current.business_id, true)
      if (stored.subscription_plan_id !== current.subscription_plan_id) yield* endSurplus(current.business_id)
      yield* record(current.business_id, {
        action: "business.changed",
        before: changedFields(changeable, current, stored),
        after: changedFields(changeable, stored, current)
      })
      yield* transaction.afterCommit(credentials.invalidateAll)
      return stored
    })

    return {
      /** The businesses of the platform, oldest first. */
      list: traced("AdminBusinesses.list")(function* (
        { search = null }: AdminBusinessFilter,
        page: PageRequest
      ) {
        return mapPage(yield* businesses.list(search, page), (business) => adminBusinessRecord(business))
      }),

      get: traced("AdminBusinesses.get")(function* (businessId: BusinessId) {
        return adminBusinessRecord(yield* requireBusiness(yield* businesses.find(businessId)))
      }),

      /** How much of its plan a business uses. */
      usage: traced("AdminBusinesses.usage")(function* (businessId: BusinessId) {
        const business = yield* requireBusiness(yield* businesses.find(businessId))
        const plan = yield* Effect.orDie(Effect.fromOption(yield* plans.find(business.subscription_plan_id)))
        const { from } = monthOf(yield* DateTime.now, business.timezone)
        return businessUsageRecord(business, planRecord(plan), yield* businesses.counts(businessId, from))
      }),

      /**
       * Adds email credits; a negative number deducts. `InvalidInput` if the balance would become negative, also under
       * concurrent deductions.
       */
      addCredits: traced("AdminBusinesses.addCredits")(function* (
        businessId: BusinessId,
        { credits, reason }: CreditsInput
      ) {
        return yield* atomically(transaction, function* () {
          const { email_credits } = yield* requireBusiness(yield* businesses.lock(businessId))
          const balance = email_credits + credits
          if (balance < 0 || balance > maxEmailCredits)
            return yield* new InvalidInput({
              issues: [{ field: "credits", issue: "out_of_range" }],
              advice: `The business has ${email_credits} credits, and the balance stays from 0 to ${maxEmailCredits}`
            })
          const stored = yield* businesses.setCredits(businessId, balance, yield* DateTime.now)
          yield* record(businessId, {
            action: "business.credits_changed",
            before: { email_credits },
            after: { email_credits: balance },
            reason
          })
          return adminBusinessRecord(stored)
        })
      }),

      /**
       * Suspends or reactivates a business; no change if it has that status. Its credentials are refused immediately
       * on this node and within a second on the others. Its recorded events are still delivered.
       */
      setSuspended: traced("AdminBusinesses.setSuspended")(function* (
        businessId: BusinessId,
        { action, reason }: SuspensionInput
      ) {
        return yield* atomically(transaction, function* () {
          const before = yield* requireBusiness(yield* businesses.lock(businessId))
          const status = statusAfter[action]
          if (before.status === status) return adminBusinessRecord(before)
          yield* Effect.orDie(businessMachine.move(before.status, status, "administrator"))
          const stored = yield* businesses.setStatus(businessId, status, yield* DateTime.now)
          yield* record(businessId, {
            action: action === "suspend" ? "business.suspended" : "business.activated",
            before: { status: before.status },
            after: { status },
            reason
          })
          yield* transaction.afterCommit(credentials.invalidateAll)
          return adminBusinessRecord(stored)
        })
      }),

      /**
       * Changes the given fields; `InvalidInput` names every wrong one, also an unknown plan; `Conflict` if another
       * business has the slug. Another plan ends the seats that it includes.
       */
      update: traced("AdminBusinesses.update")(function* (
        businessId: BusinessId,
        patch: AdminBusinessPatch,
        precondition: Precondition<AdminBusinessRecord> = unconditional
      ) {
        const references = { subscription_plan_id: planExists }
        const changes = yield* decodeWithReferences(AdminBusinessChanges, patch, references)
        return yield* atomically(transaction, function* () {
          const current = yield* requireBusiness(yield* businesses.lock(businessId))
          yield* precondition(adminBusinessRecord(current))
          const changed = { ...current, ...changes }
          return adminBusinessRecord(
            Equal.equals(changed, current) ? current : yield* store(current, changed)
          )
        })
      })
    }
  })
}) {
  static readonly layer = Layer.effect(AdminBusinesses, AdminBusinesses.make).pipe(
    Layer.provide(SeatSubscriptions.layer)
  )
}
