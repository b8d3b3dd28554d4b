/** The form that a request asks for. */
import type { HttpServerRequest } from "effect/http"
import { headerOf } from "./IncomingRequest.ts"

/** Whether a request names a type in its `Accept`. */
export const asksFor = (
  request: HttpServerRequest.HttpServerRequest,
  type: "text/csv" | "application/pdf"
): boolean =>
  (headerOf(request, "accept") ?? "")
    .split(",")
    .some((accepted) => accepted.split(";")[0]?.trim().toLowerCase() === type)
