/** `livery trigger`: sends a sample event to a business's endpoints, or to a receiver on the developer's machine. */
import { BusinessId, EmittedEventType, EndpointId, makeSampleEvent, sampleData } from "@livery/domain"
import { Console, Effect, Option, Schema } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { descriptions } from "../../usage/Descriptions.ts"
import { ForwardingLive, forwardTo, lineOf, makeForward } from "../../remote/Forwarding.ts"
import { CommandRefused } from "../../usage/Refusal.ts"
import { makeRemoteServer, serverFlags } from "../../remote/RemoteServer.ts"
import { printable } from "../../terminal/TerminalLine.ts"

const Endpoints = Schema.Struct({
  data: Schema.Array(Schema.Struct({ endpoint_id: EndpointId, url: Schema.String, status: Schema.String }))
})
const Sent = Schema.Struct({ data: Schema.Struct({ event_id: Schema.String }) })

/** Posts a sample event to a receiver, without a server. Fails if the receiver does not acknowledge it. */
const sendToReceiver = Effect.fnUntraced(function* (receiver: string, type: EmittedEventType) {
  const { forward, secret } = yield* makeForward(receiver)
  if ((process.env["LIVERY_WEBHOOK_SECRET"] ?? "") === "") yield* Console.log(`Signing secret: ${secret}`)
  const { body, eventId } = yield* makeSampleEvent(BusinessId.make(1), type, sampleData[type])
  const event = { id: eventId, type, body }
  const outcome = yield* forward(event)
  yield* Console.log(lineOf(event, outcome))
  if (!outcome.acknowledged)
    return yield* new CommandRefused({ type: "not_acknowledged", reason: outcome.error ?? "no response" })
}, Effect.provide(ForwardingLive))

/** Lets the server send a test event to one endpoint, or to all that are enabled. */
const sendToEndpoints = Effect.fnUntraced(function* (
  server: Parameters<typeof makeRemoteServer>[0],
  type: EmittedEventType,
  only: Option.Option<EndpointId>
) {
  const request = yield* makeRemoteServer(server)
  const { data } = yield* request("GET", "/webhooks?per_page=100", { schema: Endpoints })
  const endpoints = data.filter(({ endpoint_id, status }) =>
    Option.match(only, { onNone: () => status === "enabled", onSome: (id) => id === endpoint_id })
  )
  if (endpoints.length === 0)
    return yield* new CommandRefused({
      type: "not_found",
      reason:
        "There is no such endpoint. Create one with POST /webhooks, or use --forward-to, which needs none."
    })
  for (const { endpoint_id, url } of endpoints) {
    const { data: sent } = yield* request("POST", `/webhooks/${endpoint_id}/test`, {
      payload: { event_type: type },
      schema: Sent
    })
    yield* Console.log(printable(`${type}  ${sent.event_id}  endpoint ${endpoint_id}  ${url}`))
  }
})

export const trigger = Command.make(
  "trigger",
  {
    type: Argument.Literals("event", EmittedEventType.literals).pipe(
      Argument.withDescription("The type of the event")
    ),
    forwardTo: Flag.optional(forwardTo),
    endpoint: Flag.Int("endpoint").pipe(
      Flag.withSchema(EndpointId),
      Flag.optional,
      Flag.withDescription("The id of the endpoint to send to; by default, all enabled endpoints")
    ),
    ...serverFlags
  },
  ({ endpoint, forwardTo: receiver, type, ...server }) =>
    Option.match(receiver, {
      onNone: () => sendToEndpoints(server, type, endpoint),
      onSome: (url) => sendToReceiver(url, type)
    })
).pipe(
  Command.withDescription(descriptions.trigger),
  Command.withExamples([
    {
      command: "livery trigger trip.created",
      description: "To all enabled endpoints, with the API key of LIVERY_API_KEY"
    }
  ])
)
