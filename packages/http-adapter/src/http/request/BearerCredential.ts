import { Redacted } from "effect"
import type { HttpServerRequest } from "effect/http"

/** The bearer credential of a request whose route does not require one; undefined if it has none. */
export const bearerCredential = ({
  headers
}: HttpServerRequest.HttpServerRequest): Redacted.Redacted | undefined => {
  const [, credential] = /^bearer +(\S+) *$/iu.exec(headers["authorization"] ?? "") ?? []
  return credential === undefined ? undefined : Redacted.make(credential)
}
