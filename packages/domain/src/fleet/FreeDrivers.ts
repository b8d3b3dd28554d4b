/** The search for drivers who are free (docs/api/fleet.md). */
import { Context, Effect, Layer } from "effect"
import type { ActingBusiness } from "../business/Business.ts"
import { type InvalidInput, refuseIssues } from "../kernel/Errors.ts"
import { mapPage, type Page, type PageRequest } from "../kernel/Page.ts"
import {
  type FreeDriverRecord,
  freeDriverRecord,
  type FreeDriversQuery,
  searchIssues,
  searchOfQuery
} from "./FreeDriver.ts"
import { FreeDriverRepository } from "./FreeDriverRepository.ts"
import { traced } from "../kernel/TracedFunction.ts"

/**
 * - `list`: a page of the active drivers who have neither a trip nor an absence at a time, each with the jobs before and
 *   after. `InvalidInput` unless the time ends after it starts and lasts at most 31 days.
 */
export class FreeDrivers extends Context.Service<
  FreeDrivers,
  {
    readonly list: (
      acting: ActingBusiness,
      query: FreeDriversQuery,
      page: PageRequest
    ) => Effect.Effect<Page<FreeDriverRecord>, InvalidInput>
  }
>()("@livery/domain/FreeDrivers") {
  static readonly layer = Layer.effect(
    FreeDrivers,
    Effect.map(FreeDriverRepository, (drivers) =>
      FreeDrivers.of({
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
      })
    )
  )
}
