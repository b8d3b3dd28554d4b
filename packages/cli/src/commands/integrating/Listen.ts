/** `livery listen`: forwards the events of a business to a receiver on the developer's machine. */
import { EventBody } from "@livery/domain"
import { Console, Duration, Effect, Schema } from "effect"
import { Command } from "effect/cli"
import { descriptions } from "../../usage/Descriptions.ts"
import { ForwardingLive, forwardTo, lineOf, makeForward } from "../../remote/Forwarding.ts"
import { isTemporary, makeRemoteServer, serverFlags } from "../../remote/RemoteServer.ts"

const pollInterval = Duration.seconds(1)
const pauseAfterFailure = Duration.seconds(2)

const Page = Schema.Struct({
  data: Schema.Array(EventBody),
  meta: Schema.Struct({
    pagination: Schema.Struct({ has_more: Schema.Boolean, next_after: Schema.String })
  })
})

const read = Effect.fnUntraced(function* (
  request: Effect.Success<ReturnType<typeof makeRemoteServer>>,
  after: string
) {
  const path = `/events?limit=100&after=${encodeURIComponent(after)}`
  const { data, meta } = yield* request("GET", path, { schema: Page })
  return { events: data, cursor: meta.pagination.next_after, hasMore: meta.pagination.has_more }
})

export const listen = Command.make(
  "listen",
  { forwardTo, ...serverFlags },
  Effect.fn(function* ({ forwardTo: receiver, ...server }) {
    const request = yield* makeRemoteServer(server)
    const { forward, secret } = yield* makeForward(receiver)
    // The cursor after the last event, so that only new events are forwarded.
    let { cursor } = yield* read(request, "latest")
    yield* Console.log(`Signing secret: ${secret}`)
    yield* Console.log(`Forwarding events of ${server.url} to ${receiver}`)
    const poll = Effect.gen(function* () {
      const next = yield* read(request, cursor)
      for (const { id, type, ...rest } of next.events) {
        const event = { id, type, body: JSON.stringify({ id, type, ...rest }) }
        yield* Console.log(lineOf(event, yield* forward(event)))
      }
      cursor = next.cursor
      if (!next.hasMore) yield* Effect.sleep(pollInterval)
    })
    return yield* poll.pipe(
      Effect.catchIf(isTemporary, (refusal) =>
        Effect.andThen(Console.error(refusal.message), Effect.sleep(pauseAfterFailure))
      ),
      Effect.forever
    )
  }, Effect.provide(ForwardingLive))
).pipe(
  Command.withDescription(descriptions.listen),
  Command.withExamples([
    {
      command: "livery listen --forward-to http://localhost:4000/hook",
      description: "With the API key of LIVERY_API_KEY"
    }
  ])
)
