/** The bytes of a file as one array. */
import { Effect, Stream } from "effect"

/** Reads a stream of `size` bytes to its end. */
export const bytesOf = <E>(
  stream: Stream.Stream<Uint8Array, E>,
  size: number
): Effect.Effect<Uint8Array, E> =>
  Effect.map(Stream.runCollect(stream), (parts) => {
    const bytes = new Uint8Array(size)
    let at = 0
    for (const part of parts) {
      bytes.set(part, at)
      at += part.length
    }
    return bytes
  })
