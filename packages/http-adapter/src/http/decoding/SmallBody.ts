/**
 * Reads small bodies from Node directly. Effect's reader waits until the stream has closed and adds nine listeners to it,
 * which takes about as long as the rest of the decoding.
 */
import { Effect } from "effect"
import type { HttpServerRequest } from "effect/http"
import { IncomingMessage } from "node:http"
import { smallBody } from "./BodyMemory.ts"

// It drops a byte order mark, as Effect's reader does.
const decoder = new TextDecoder()

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
const arriving = (source: IncomingMessage): Effect.Effect<string> =>
  Effect.callback((resume) => {
    const pieces: Array<Buffer> = []
    const add = (piece: Buffer) => pieces.push(piece)
    const complete = () => {
      stop()
      const [first] = pieces
      resume(
        Effect.succeed(
          decoder.decode(first !== undefined && pieces.length === 1 ? first : Buffer.concat(pieces))
        )
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
 * The text of a request's body, which must not have been read and cannot be read again. Other requests than small ones
 * from Node are read by Effect.
 */
export const bodyTextOf = (request: HttpServerRequest.HttpServerRequest): Effect.Effect<string> => {
  const { source } = request
  if (!(source instanceof IncomingMessage) || !isSmall(source)) return Effect.orDie(request.text)
  // While the caller was looked up in the database, the whole body has usually arrived.
  const whole: Buffer | null = source.complete ? source.read() : null
  return whole === null ? arriving(source) : Effect.succeed(decoder.decode(whole))
}
