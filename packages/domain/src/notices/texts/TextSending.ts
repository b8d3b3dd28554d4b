/** Sends a text message through the gateway of a business. */
import { Effect } from "effect"
import { AddressPolicy } from "../../kernel/security/AddressPolicy.ts"
import { OutgoingRequests, type OutgoingResponse } from "../../mail/OutgoingRequests.ts"
import type { StoredGateway } from "../NoticeSettingsRepository.ts"
import { CallbackAddress } from "./CallbackAddress.ts"
import { type GatewayAnswer, gatewayAnswer, gatewayRequest } from "./GatewayMessages.ts"

/** What became of a message, with the response of the gateway; null if none came. */
export interface TextOutcome {
  readonly answer: GatewayAnswer
  readonly response: OutgoingResponse | null
}

/** A function that sends a text to a number in its canonical form. `id` is the message's name at the gateway. */
export const makeTextSending = Effect.gen(function* () {
  const requests = yield* OutgoingRequests
  const addresses = yield* AddressPolicy
  const callbackAddress = yield* CallbackAddress

  return Effect.fnUntraced(function* (
    { callbackToken, gateway }: StoredGateway,
    to: string,
    text: string,
    id: string
  ): Effect.fn.Return<TextOutcome> {
    const failed = (reason: string, isFinal: boolean): TextOutcome => ({
      answer: { taken: false, isFinal, reason },
      response: null
    })
    const request = gatewayRequest(gateway, {
      to,
      to_digits: to.replaceAll(/\D/gu, ""),
      text,
      sender: gateway.sender,
      id,
      callback_url: callbackAddress?.(callbackToken) ?? ""
    })
    if (!addresses.allows(request.url)) return failed("the address of the gateway is not allowed", true)
    return yield* requests.send(request).pipe(
      Effect.map((response) => ({ answer: gatewayAnswer(gateway, response), response })),
      Effect.catch(({ reason }) => Effect.succeed(failed(reason, false)))
    )
  })
})
