/** The installation that a business moves to, which takes its steps at `POST /moves` from a super-admin. */
import { MoveAnswer, type MoveStep } from "@livery/domain"
import { Effect, Option, Schedule, Schema } from "effect"
import { printable } from "../terminal/TerminalLine.ts"
import { CommandRefused } from "../usage/Refusal.ts"
import { addressOf, signedInToken } from "./AdminServer.ts"

/** The longest time of a step: the comparison of all rows may take minutes. */
const stepTimeout = 600_000

const readAnswer = Schema.decodeUnknownOption(Schema.fromJsonString(Schema.Struct({ data: MoveAnswer })))
const readError = Schema.decodeUnknownOption(
  Schema.fromJsonString(
    Schema.Struct({ error: Schema.Struct({ type: Schema.String, message: Schema.String }) })
  )
)

const temporary = (reason: string) => new CommandRefused({ type: "unreachable", reason })

/** Sends a step once. */
const sendOnce = (address: string, token: string, step: MoveStep) =>
  Effect.tryPromise({
    try: async (signal) => {
      const response = await fetch(`${address}/moves`, {
        method: "POST",
        headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
        body: JSON.stringify(step),
        redirect: "error",
        signal: AbortSignal.any([signal, AbortSignal.timeout(stepTimeout)])
      })
      return { status: response.status, text: await response.text() }
    },
    catch: () => temporary(`${address} does not answer. Repeat the command: it continues`)
  }).pipe(
    Effect.flatMap(({ status, text }) => {
      const answer = readAnswer(text)
      if (status === 200 && Option.isSome(answer)) return Effect.succeed(answer.value.data)
      if (status === 429 || status >= 500)
        return Effect.fail(
          temporary(`${address} answers ${status} at the moment. Repeat the command: it continues`)
        )
      const { message, type } = Option.match(readError(text), {
        onNone: () => ({
          type: "unreachable",
          message: `${address} is no Livery server of this version, or a proxy does not reach it: status ${status}`
        }),
        onSome: ({ error }) => error
      })
      return Effect.fail(new CommandRefused({ type: printable(type), reason: printable(message) }))
    })
  )

/**
 * Makes the function that sends steps to an installation, with the sign-in of `livery login`. Each step can be repeated, so that a
 * target that does not answer is tried again for a while.
 */
export const makeMoveTarget = Effect.fnUntraced(function* (url: string) {
  const address = yield* addressOf(url)
  const send = (step: MoveStep) =>
    Effect.flatMap(signedInToken(address), (token) => sendOnce(address, token, step)).pipe(
      Effect.retry({
        schedule: Schedule.spaced("2 seconds"),
        times: 5,
        while: ({ type }) => type === "unreachable"
      })
    )
  return { address, send }
})
