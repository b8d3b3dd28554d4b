/**
 * The domain's `FlightSource` over a service with an HTTP API, by a template. Addresses that webhooks may not have are refused,
 * and redirects are not followed.
 */
import { AddressPolicy, FlightSource, FlightsUnavailable, type FlightQuery } from "@livery/domain"
import { Duration, Effect, Layer, Redacted } from "effect"
import { sendLimited } from "../outgoing/LimitedFetch.ts"
import { filledTemplate, type FlightTemplate, reportsIn } from "./FlightTemplate.ts"

/** The template, and the secret that it names. */
export interface FlightOptions extends FlightTemplate {
  readonly secret: Redacted.Redacted | undefined
}

const timeout = Duration.seconds(8)
const maximumBytes = 512 * 1024

/** Responses that know no such flight: they have no body, or one that is no list. */
const unknownFlight = [204, 404]

export const layer = (options: FlightOptions): Layer.Layer<never, never, AddressPolicy> =>
  Layer.effect(
    FlightSource,
    Effect.gen(function* () {
      const addresses = yield* AddressPolicy
      const secret = options.secret === undefined ? "" : Redacted.value(options.secret)

      const ask = async (query: FlightQuery, signal: AbortSignal) => {
        const url = filledTemplate(options.url, query, secret, encodeURIComponent)
        if (!addresses.allows(url)) throw new FlightsUnavailable({ reason: "the address is not allowed" })
        const { body, status } = await sendLimited(
          url,
          {
            signal,
            headers: Object.fromEntries(
              Object.entries(options.headers).map(([name, value]) => [
                name,
                filledTemplate(value, query, secret)
              ])
            )
          },
          {
            maximumBytes,
            statuses: [200, ...unknownFlight],
            failure: (reason) => new FlightsUnavailable({ reason })
          }
        )
        if (unknownFlight.includes(status)) return []
        const reports = reportsIn(JSON.parse(body.toString("utf8")), options)
        if (reports === undefined)
          throw new FlightsUnavailable({ reason: "the response has no list of flights" })
        return reports
      }

      return (query: FlightQuery) =>
        Effect.tryPromise({
          try: (signal) => ask(query, signal),
          catch: (cause) =>
            cause instanceof FlightsUnavailable
              ? cause
              : new FlightsUnavailable({ reason: "the response is not one of its kind" })
        }).pipe(
          Effect.timeoutOrElse({
            duration: timeout,
            orElse: () => Effect.fail(new FlightsUnavailable({ reason: "it took too long" }))
          })
        )
    })
  )
