/** Streams for a business's own callers. */
import { Effect, Stream } from "effect"
import { HttpServerRequest } from "effect/http"
import { type ActingBusiness, CredentialWatch } from "@livery/domain"
import { bearerCredential } from "../request/IncomingRequest.ts"

/** Makes the function that ends a stream once the request's credential no longer acts for the business. */
export const makeWhileActing = Effect.map(CredentialWatch, (credentials) =>
  Effect.fnUntraced(function* <A>(stream: Stream.Stream<A>, acting: ActingBusiness) {
    const credential = bearerCredential(yield* HttpServerRequest.HttpServerRequest)
    const ended = credential === undefined ? Effect.void : credentials.ended(credential, acting.business_id)
    return Stream.interruptWhen(stream, Effect.ignoreCause(ended))
  })
)
