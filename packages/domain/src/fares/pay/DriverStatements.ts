/** The use cases of drivers' pay (docs/api/fares.md). */
import { Context, DateTime, Effect, Layer } from "effect"
import type { ActingBusiness } from "../../business/Business.ts"
import { DriverRepository } from "../../fleet/drivers/DriverRepository.ts"
import { orNotFound, refuseIssues } from "../../kernel/Errors.ts"
import type { DriverId } from "../../kernel/Ids.ts"
import { type Precondition, unconditional } from "../../kernel/Precondition.ts"
import { endOfDay, startOfDay } from "../../kernel/time/WallClock.ts"
import { atomically, Transaction } from "../../kernel/Transaction.ts"
import { DriverPayRepository } from "./DriverPayRepository.ts"
import { statementIssues, statementOf, type StatementQuery } from "./DriverStatement.ts"
import { checkSchemes, type DriverPayChanges, type DriverTermsRecord } from "./DriverTerms.ts"
import { traced } from "../../kernel/TracedFunction.ts"

/**
 * `NotFound` if the driver is absent or another business's. A deleted driver's terms and statements can still be read.
 */
export class DriverStatements extends Context.Service<DriverStatements>()("@livery/domain/DriverStatements", {
  make: Effect.gen(function* () {
    const transaction = yield* Transaction
    const drivers = yield* DriverRepository
    const pay = yield* DriverPayRepository

    const requireDriver = orNotFound("driver")

    const terms = traced("DriverStatements.terms")(function* (
      { business_id }: ActingBusiness,
      driverId: DriverId
    ) {
      return yield* requireDriver(yield* pay.find(business_id, driverId))
    })

    return {
      /** The schemes by which a driver is paid. */
      terms,

      /**
       * Replaces them. `InvalidInput` names every field that contradicts another one; `Conflict` if the precondition
       * fails.
       */
      setTerms: traced("DriverStatements.setTerms")(function* (
        acting: ActingBusiness,
        driverId: DriverId,
        { schemes }: DriverPayChanges,
        precondition: Precondition<DriverTermsRecord> = unconditional
      ) {
        return yield* atomically(transaction, function* () {
          yield* requireDriver(yield* drivers.lock(acting.business_id, driverId))
          const before = yield* terms(acting, driverId)
          yield* precondition(before)
          const checked = yield* Effect.fromResult(checkSchemes(schemes ?? before.schemes))
          yield* pay.store(acting.business_id, driverId, checked, yield* DateTime.now)
          return { ...before, schemes: checked }
        })
      }),

      /**
       * The pay of a driver for the completed trips of some days. `InvalidInput` for days in the wrong order or more
       * than `maxStatementDays`.
       */
      statement: traced("DriverStatements.statement")(function* (
        acting: ActingBusiness,
        driverId: DriverId,
        query: StatementQuery
      ) {
        yield* refuseIssues(statementIssues(query))
        const driverTerms = yield* terms(acting, driverId)
        const { business_id, timezone } = acting
        const trips = yield* pay.completedTrips(business_id, driverId, {
          from: startOfDay(query.from, timezone),
          before: endOfDay(query.to, timezone)
        })
        return statementOf({ ...driverTerms, driver_id: driverId }, trips, query, timezone)
      })
    }
  })
}) {
  static readonly layer = Layer.effect(DriverStatements, DriverStatements.make)
}
