/** The PDF and the XRechnung of a record in the contract. */
import { Schema } from "effect"
import { HttpApiSchema } from "effect/http-api"
import { XRechnungSyntax } from "@livery/domain/records"
import { wireErrors } from "../http/ErrorMap.ts"

/** The query and the success of a route that returns the XRechnung of a record. */
export const xRechnungResult = {
  query: { syntax: Schema.optionalKey(XRechnungSyntax) },
  success: Schema.String.pipe(HttpApiSchema.asText({ contentType: "application/xml" })),
  error: wireErrors.notFound
} as const

/** The success and the refusals of a route that returns the PDF of a record. */
export const pdfResult = {
  success: Schema.Uint8Array.pipe(HttpApiSchema.asUint8Array({ contentType: "application/pdf" })),
  error: [wireErrors.notFound, wireErrors.pdfUnavailable]
} as const
