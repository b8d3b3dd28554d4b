/** The link that opens the demonstration business in the office, signed in. */
import { Effect, Option, Redacted } from "effect"
import { linksBelow } from "@livery/contract/links"
import { Demonstration } from "@livery/domain"
import { isLoopback } from "./Sandbox.ts"

/**
 * A link with a new code, which works once, within 15 minutes and on this machine. Undefined unless the server, which listens at
 * `address` on `host`, is reached from this machine alone, or if there is no demonstration business.
 */
export const demonstrationLink = Effect.fnUntraced(function* (address: string, host: string) {
  if (!isLoopback(host)) return undefined
  const code = yield* Demonstration.use((demonstration) => demonstration.code)
  return Option.isNone(code) ? undefined : linksBelow(address).demonstration(Redacted.value(code.value))
})
