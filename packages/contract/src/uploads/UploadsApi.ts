/** Uploading files that records refer to (docs/api/uploads.md). */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { check, UploadRecord } from "@livery/domain/records"
import { BusinessAccess, inArea } from "../http/Access.ts"
import { callsOut, basePath, created, summary } from "../http/Contract.ts"
import { data } from "../http/Envelope.ts"
import { wireErrors } from "../http/ErrorMap.ts"

/** A file of a form, for the documentation. The handler reads the request itself. */
const Binary = Schema.String.check(check<string>("invalid", () => true, { format: "binary" }))

/** The route `/uploads`, which stores a file of a form. For API keys and members with a right in the area `files`. */
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
          "Upload an image (PNG, JPEG, WebP) or a PDF of up to 10 MiB; its `url` needs no credential and does not expire"
        )
      )
  )
  .middleware(BusinessAccess)
  .annotateMerge(inArea("files"))
  .prefix(`${basePath}/uploads`)
  .annotateMerge(OpenApi.annotations({ title: "Uploads" }))
