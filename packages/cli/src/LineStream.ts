/** Lines on a stream that somebody else reads, or should: a reader that hangs must not fill our memory. */
import type { Writable } from "node:stream"

/** Bytes that may wait for a slow reader. */
const patienceBytes = 4 * 1024 * 1024

/**
 * Writes lines to `stream`. While more than `patience` bytes wait for its reader, lines are dropped, and `missing` says
 * how many in a line of its own as soon as there is room again.
 */
export const linesTo = (
  stream: Pick<Writable, "write" | "writableLength">,
  missing: (dropped: number) => string,
  patience: number = patienceBytes
): ((line: string) => void) => {
  let dropped = 0
  return (line) => {
    if (stream.writableLength > patience) {
      dropped += 1
      return
    }
    if (dropped > 0) stream.write(`${missing(dropped)}\n`)
    dropped = 0
    stream.write(`${line}\n`)
  }
}
