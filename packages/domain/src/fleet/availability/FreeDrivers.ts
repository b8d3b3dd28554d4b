/** The search for drivers who are free (docs/api/fleet.md). */
import { Context, Effect, Layer } from "effect"
import type { ActingBusiness } from "../../business/Business.ts"
import { refuseIssues } from "../../kernel/Errors.ts"
import { mapPage, type PageRequest } from "../../kernel/Page.ts"
import { freeDriverRecord, type FreeDriversQuery, searchIssues, searchOfQuery } from "./FreeDriver.ts"
import { FreeDriverRepository } from "./FreeDriverRepository.ts"
import { traced } from "../../kernel/TracedFunction.ts"

export class FreeDrivers extends Context.Service<FreeDrivers>()("@livery/domain/FreeDrivers", {
  make: Effect.gen(function* () {
    const drivers = yield* FreeDriverRepository
    return {
      /**
       * A page of the active drivers who have neither a trip nor an absence at a time, each with the jobs before and
       * after. `InvalidInput` unless the time ends after it starts and lasts at most 31 days.
       */
      list: traced("FreeDrivers.list")(function* (
        { business_id, timezone }: ActingBusiness,
        query: FreeDriversQuery,
        page: PageRequest
      ) {
        const search = searchOfQuery(query, timezone)
        yield* refuseIssues(searchIssues(search))
        return mapPage(yield* drivers.list(business_id, search, page), (driver) =>
          freeDriverRecord(driver, search)
        )
      })
    }
  })
}) {
  static readonly layer = Layer.effect(FreeDrivers, FreeDrivers.make)
}
