/** The use cases of drivers' pay (docs/api/fares.md). */
import { Context, DateTime, Effect, Layer } from "effect"
import type { ActingBusiness } from "../../business/Business.ts"
import { DriverRepository } from "../../fleet/DriverRepository.ts"
import {
  type Conflict,
  type InvalidInput,
  type NotFound,
  orNotFound,
  refuseIssues
} from "../../kernel/Errors.ts"
import type { DriverId } from "../../kernel/Ids.ts"
import { type Precondition, unconditional } from "../../kernel/Precondition.ts"
import { endOfDay, startOfDay } from "../../kernel/time/WallClock.ts"
import { Transaction } from "../../kernel/Transaction.ts"
import { DriverPayRepository } from "./DriverPayRepository.ts"
import { statementIssues, statementOf, type StatementQuery, type StatementRecord } from "./DriverStatement.ts"
import { checkSchemes, type DriverPayChanges, type DriverTermsRecord } from "./DriverTerms.ts"
import { traced } from "../../kernel/TracedFunction.ts"

/**
 * - `terms`: the schemes by which a driver is paid.
 * - `setTerms`: replaces them. `InvalidInput` names every field that contradicts another one; `Conflict` if the
 *   precondition fails.
 * - `statement`: the pay of a driver for the completed trips of some days. `InvalidInput` for days in the wrong order or
 *   more than `maxStatementDays`.
 *
 * `NotFound` if the driver is absent or another business's. A deleted driver's terms and statements can still be read.
 */
export class DriverStatements extends Context.Service<
  DriverStatements,
  {
    readonly terms: (acting: ActingBusiness, driverId: DriverId) => Effect.Effect<DriverTermsRecord, NotFound>
    readonly setTerms: (
      acting: ActingBusiness,
      driverId: DriverId,
      changes: DriverPayChanges,
      precondition?: Precondition<DriverTermsRecord>
    ) => Effect.Effect<DriverTermsRecord, NotFound | InvalidInput | Conflict>
    readonly statement: (
      acting: ActingBusiness,
      driverId: DriverId,
      query: StatementQuery
    ) => Effect.Effect<StatementRecord, NotFound | InvalidInput>
  }
>()("@livery/domain/DriverStatements") {
  static readonly layer = Layer.effect(
    DriverStatements,
    Effect.gen(function* () {
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

      const setTerms = traced("DriverStatements.setTerms")(function* (
        acting: ActingBusiness,
        driverId: DriverId,
        { schemes }: DriverPayChanges,
        precondition: Precondition<DriverTermsRecord> = unconditional
      ) {
        return yield* transaction.run(
          Effect.gen(function* () {
            yield* requireDriver(yield* drivers.lock(acting.business_id, driverId))
            const before = yield* terms(acting, driverId)
            yield* precondition(before)
            const checked = yield* Effect.fromResult(checkSchemes(schemes ?? before.schemes))
            yield* pay.store(acting.business_id, driverId, checked, yield* DateTime.now)
            return { ...before, schemes: checked }
          })
        )
      })

      const statement = traced("DriverStatements.statement")(function* (
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

      return DriverStatements.of({ terms, setTerms, statement })
    })
  )
}
