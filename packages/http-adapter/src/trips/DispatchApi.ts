/** The dispatch board (specification, Dispatch, fleet, customers, other). */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { BoardFilter, BoardRecord, DriverId, PageNumber, PerPage } from "@livery/domain"
import { BusinessAccess } from "../http/Access.ts"
import { basePath, summary, wholeNumber } from "../http/Contract.ts"
import { list } from "../http/Envelope.ts"

export const DispatchApi = HttpApiGroup.make("dispatch")
  .add(
    HttpApiEndpoint.get("board", "/trips", {
      query: {
        ...BoardFilter.fields,
        driver_id: Schema.optionalKey(wholeNumber(DriverId)),
        page: Schema.optionalKey(wholeNumber(PageNumber)),
        per_page: Schema.optionalKey(wholeNumber(PerPage))
      },
      success: list(BoardRecord, "BoardBody")
    }).annotateMerge(
      summary(
        "A day's jobs on the business's clock, today's unless told, the soonest first, with drivers, cars and " +
          "warnings; cancelled ones by `status=cancelled` alone"
      )
    )
  )
  .middleware(BusinessAccess)
  .prefix(`${basePath}/dispatch`)
  .annotateMerge(OpenApi.annotations({ title: "Dispatch" }))
