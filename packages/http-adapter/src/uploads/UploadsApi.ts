/** Files that records refer to (specification, `POST /uploads`). */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { check, UploadRecord } from "@livery/domain"
import { BusinessAccess } from "../http/Access.ts"
import { callsOut, basePath, created, summary } from "../http/Contract.ts"
import { data } from "../http/Envelope.ts"
import { wireErrors } from "../http/ErrorMap.ts"

/** A file of a form. Read by the handler as it comes; here for the documentation. */
const Binary = Schema.String.check(check<string>("invalid", () => true, { format: "binary" }))

export const UploadsApi = HttpApiGroup.make("uploads")
  .add(
    HttpApiEndpoint.post("upload", "/", {
      payload: Schema.Struct({ file: Binary }).pipe(HttpApiSchema.asMultipart()),
      success: data(UploadRecord, "UploadBody").pipe(created),
      error: [wireErrors.malformed, wireErrors.filesUnavailable]
    })
      .annotateMerge(callsOut)
      .annotateMerge(
        summary(
          "Upload a picture (PNG, JPEG, WebP) or a PDF of up to 10 MiB; whoever has the `url` may read it, for ever"
        )
      )
  )
  .middleware(BusinessAccess)
  .prefix(`${basePath}/uploads`)
  .annotateMerge(OpenApi.annotations({ title: "Uploads" }))
