/**
 * Writes lines to a stream that another program reads. All lines of one iteration of the event loop are written in one
 * call, because each write to a pipe or a file is a call to the operating system. If the reader hangs, lines are
 * dropped, so that memory use stays limited.
 */
import type { Writable } from "node:stream"

/** How many characters may wait for a slow reader, by default. */
const defaultBufferLength = 4 * 1024 * 1024

/**
 * - `write`: writes a line with the others of this iteration of the event loop. While more than
 *   `bufferLength` characters wait for the reader, lines are dropped. Before the next line that is not dropped, it
 *   writes the line that `missing` returns for the number of dropped lines.
 * - `flush`: writes the waiting lines. Call it before the process exits.
 */
export interface Lines {
  readonly write: (line: string) => void
  readonly flush: () => void
}

/** Lines on `stream`. */
export const linesTo = (
  stream: Pick<Writable, "write" | "writableLength">,
  missing: (dropped: number) => string,
  bufferLength: number = defaultBufferLength
): Lines => {
  let batch = ""
  let dropped = 0
  const flush = () => {
    if (batch === "") return
    const text = batch
    batch = ""
    stream.write(text)
  }
  return {
    write: (line) => {
      if (stream.writableLength + batch.length > bufferLength) {
        dropped += 1
        return
      }
      if (batch === "") setImmediate(flush)
      if (dropped > 0) batch += `${missing(dropped)}\n`
      dropped = 0
      batch += `${line}\n`
    },
    flush
  }
}
