/** The PDF of a record in the contract. */
import { Schema } from "effect"
import { HttpApiSchema } from "effect/http-api"
import { wireErrors } from "../http/ErrorMap.ts"

/** The success and the refusals of a route that returns the PDF of a record. */
export const pdfResult = {
  success: Schema.Uint8Array.pipe(HttpApiSchema.asUint8Array({ contentType: "application/pdf" })),
  error: [wireErrors.notFound, wireErrors.pdfUnavailable]
} as const
