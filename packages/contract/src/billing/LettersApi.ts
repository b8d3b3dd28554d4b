/** Letters to customers (docs/api/invoices.md). */
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { FailedLetterRecord } from "@livery/domain/records"
import { BusinessAccess, inArea } from "../http/Access.ts"
import { basePath, paging, summary } from "../http/Contract.ts"
import { list } from "../http/Envelope.ts"

/** The routes under `/letters`. For API keys and members with a right in the area `billing`. */
export const LettersApi = HttpApiGroup.make("letters")
  .add(
    HttpApiEndpoint.get("failed", "/failed", {
      query: paging,
      success: list(FailedLetterRecord, "FailedLetterListBody")
    }).annotateMerge(
      summary("The emails to customers that could not be delivered, the latest first; each credit came back")
    )
  )
  .middleware(BusinessAccess)
  .annotateMerge(inArea("billing"))
  .prefix(`${basePath}/letters`)
  .annotateMerge(OpenApi.annotations({ title: "Letters" }))
