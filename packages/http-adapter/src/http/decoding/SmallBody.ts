/**
 * Reads small bodies from Node directly. Effect's reader waits until the stream has closed and adds nine listeners to it,
 * which takes about as long as the rest of the decoding.
 */
import { Effect } from "effect"
import type { HttpServerRequest } from "effect/http"
import { IncomingMessage } from "node:http"
import { smallBody } from "./BodyMemory.ts"
import { textOfBody } from "./BodyText.ts"

/** Whether Node limits the body to few bytes, nothing has read it, and the client does not wait for a permission to send it. */
const isSmall = (source: IncomingMessage): boolean => {
  const { "content-length": length, expect, "transfer-encoding": encoding } = source.headers
  return (
    length !== undefined &&
    Number(length) <= smallBody &&
    encoding === undefined &&
    expect === undefined &&
    source.readableFlowing === null &&
    !source.readableDidRead
  )
}

/** The body as it arrives. A connection that breaks before its end is a defect, as with `Effect.orDie(request.text)`. */
const arriving = (source: IncomingMessage): Effect.Effect<string | undefined> =>
  Effect.callback((resume) => {
    const pieces: Array<Buffer> = []
    const add = (piece: Buffer) => pieces.push(piece)
    const complete = () => {
      stop()
      const [first] = pieces
      resume(
        Effect.succeed(textOfBody(first !== undefined && pieces.length === 1 ? first : Buffer.concat(pieces)))
      )
    }
    const fail = (error: Error) => {
      stop()
      resume(Effect.die(error))
    }
    const close = () => fail(new Error("The connection closed before the end of the request's body"))
    // The listener of errors stays: Node emits one after the client has gone, and without a listener that would end the process.
    const stop = () => source.off("data", add).off("end", complete).off("close", close)
    source.on("data", add).on("end", complete).on("error", fail).on("close", close)
    return Effect.sync(stop)
  })

/**
 * The text of a request's body; undefined if it is not UTF-8. A small body of a request from Node that was not read cannot be read
 * again. Others are read by Effect, which keeps the bytes.
 */
export const bodyTextOf = (
  request: HttpServerRequest.HttpServerRequest
): Effect.Effect<string | undefined> => {
  const { source } = request
  if (!(source instanceof IncomingMessage) || !isSmall(source))
    return Effect.map(Effect.orDie(request.arrayBuffer), textOfBody)
  // While the caller was looked up in the database, the whole body has usually arrived.
  const whole: Buffer | null = source.complete ? source.read() : null
  return whole === null ? arriving(source) : Effect.succeed(textOfBody(whole))
}
