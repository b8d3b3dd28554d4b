/** The port that finds drivers who are free. */
import { Context, type Effect } from "effect"
import type { BusinessId } from "../../kernel/Ids.ts"
import type { Page, PageRequest } from "../../kernel/Page.ts"
import type { FreeDriver, FreeDriversSearch } from "./FreeDriver.ts"

/**
 * - `list`: a page of the business's active drivers without a live assignment and without an absence in the window. With
 *   `near`, by the distance from the end of the previous job, unknown ones last (`maxPlaceAgeMinutes`); then by name and id.
 */
export class FreeDriverRepository extends Context.Service<
  FreeDriverRepository,
  {
    readonly list: (
      businessId: BusinessId,
      search: FreeDriversSearch,
      page: PageRequest
    ) => Effect.Effect<Page<FreeDriver>>
  }
>()("@livery/domain/FreeDriverRepository") {}
