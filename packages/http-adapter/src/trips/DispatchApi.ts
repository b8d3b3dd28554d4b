/** The dispatch board (docs/api/trips.md). */
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { BoardFilter, BoardRecord } from "@livery/domain"
import { BusinessAccess, inArea } from "../http/Access.ts"
import { basePath, paging, summary } from "../http/Contract.ts"
import { list } from "../http/Envelope.ts"
import { tripCriteriaQuery } from "./TripCriteriaQuery.ts"

export const DispatchApi = HttpApiGroup.make("dispatch")
  .add(
    HttpApiEndpoint.get("board", "/trips", {
      query: {
        ...BoardFilter.fields,
        ...tripCriteriaQuery,
        ...paging
      },
      success: list(BoardRecord, "BoardBody")
    }).annotateMerge(
      summary(
        "The jobs of a day in the business's time zone (default: today) or between two instants, the soonest first, with " +
          "drivers, cars and warnings; cancelled jobs only with `status=cancelled`"
      )
    )
  )
  .middleware(BusinessAccess)
  .annotateMerge(inArea("operations"))
  .prefix(`${basePath}/dispatch`)
  .annotateMerge(OpenApi.annotations({ title: "Dispatch" }))
