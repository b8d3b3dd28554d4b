/** How the pickups of a business follow flights: reading and changing it (docs/api/flights.md). */
import { Context, Effect, Layer } from "effect"
import { makeAuditTrail } from "../audit/AuditTrail.ts"
import type { ActingBusiness } from "../business/Business.ts"
import { PlanRepository } from "../business/PlanRepository.ts"
import { CurrentActor } from "../kernel/CurrentActor.ts"
import { type Precondition, unconditional } from "../kernel/Precondition.ts"
import { traced } from "../kernel/TracedFunction.ts"
import { atomically, Transaction } from "../kernel/Transaction.ts"
import { FlightRepository } from "./FlightRepository.ts"
import type { FlightSettings, FlightSettingsChanges, FlightSettingsRecord } from "./FlightSettings.ts"
import { FlightSource } from "./FlightSource.ts"

export class Flights extends Context.Service<Flights>()("@livery/domain/Flights", {
  make: Effect.gen(function* () {
    const transaction = yield* Transaction
    const plans = yield* PlanRepository
    const flights = yield* FlightRepository
    const writeAudit = yield* makeAuditTrail
    const available = (yield* FlightSource) !== undefined

    const recordOf = (settings: FlightSettings): FlightSettingsRecord => ({ ...settings, available })

    return {
      /** The settings of the acting business. */
      read: traced("Flights.read")(function* ({ business_id }: ActingBusiness) {
        return recordOf(yield* flights.settings(business_id))
      }),

      /** Changes the given settings, and writes the change to the audit log. */
      update: traced("Flights.update")(function* (
        { business_id }: ActingBusiness,
        changes: FlightSettingsChanges,
        precondition: Precondition<FlightSettingsRecord> = unconditional
      ) {
        return yield* atomically(transaction, function* () {
          yield* plans.lock(business_id)
          const current = yield* flights.settings(business_id)
          const before = recordOf(current)
          yield* precondition(before)
          const settings = { ...current, ...changes }
          const after = recordOf(settings)
          yield* flights.save(business_id, settings)
          yield* writeAudit({
            actor: yield* CurrentActor,
            action: "business.flight_settings_changed",
            subject: `business:${business_id}`,
            businessId: business_id,
            before,
            after
          })
          return after
        })
      })
    }
  })
}) {
  static readonly layer = Layer.effect(Flights, Flights.make)
}
