import type { EventBody } from "@livery/domain"
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http"
import { vi } from "vitest"

/** One POST that arrived, whole. */
export interface Notice {
  readonly headers: IncomingHttpHeaders
  /** The body, byte for byte. */
  readonly raw: string
  readonly event: EventBody
  /** Milliseconds of `performance.now()` when its last byte was read. */
  readonly at: number
}

/** Does what it likes with the response; whether it ends it is its own business. */
export type Answering = (notice: Notice, response: ServerResponse) => void

/** A webhook receiver on loopback that keeps all it is sent. */
export interface Receiver {
  readonly url: string
  readonly notices: ReadonlyArray<Notice>
  /** From now on, answers thus; 204 to begin with. */
  readonly answerWith: (answering: Answering) => void
  /** The first notice that satisfies, once it is there. */
  readonly notice: (satisfies: (notice: Notice) => boolean, patience?: number) => Promise<Notice>
  readonly close: () => Promise<void>
}

/** Answers with this status and nothing else. */
export const status =
  (code: number): Answering =>
  (_notice, response) => {
    response.writeHead(code).end()
  }

/** Opens a receiver on a free port. */
export const receiver = async (): Promise<Receiver> => {
  const notices: Array<Notice> = []
  let answering = status(204)
  const server = createServer((request, response) => {
    const chunks: Array<Buffer> = []
    request.on("data", (chunk: Buffer) => chunks.push(chunk))
    request.on("end", () => {
      const raw = Buffer.concat(chunks).toString("utf8")
      const event = JSON.parse(raw) as EventBody
      const notice = { headers: request.headers, raw, event, at: performance.now() }
      notices.push(notice)
      answering(notice, response)
    })
  })
  const port = await new Promise<number>((resolve) => {
    server.listen(0, "127.0.0.1", () => {
      const address = server.address()
      resolve(typeof address === "object" && address !== null ? address.port : 0)
    })
  })
  return {
    url: `http://127.0.0.1:${port}/hook`,
    notices,
    answerWith: (next) => {
      answering = next
    },
    notice: (satisfies, patience = 10_000) =>
      vi.waitUntil(() => notices.find(satisfies), { timeout: patience, interval: 2 }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      })
  }
}
