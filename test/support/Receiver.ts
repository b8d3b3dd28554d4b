import type { EventBody } from "@livery/domain"
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http"
import { vi } from "vitest"

/** A received POST. */
export interface Notice {
  readonly headers: IncomingHttpHeaders
  /** The exact body. */
  readonly raw: string
  readonly event: EventBody
  /** `performance.now()` when its last byte was read, in milliseconds. */
  readonly at: number
}

/** Responds to a POST. It may also leave the response open. */
export type Answering = (notice: Notice, response: ServerResponse) => void

/** A webhook receiver on loopback that records the POSTs it receives. */
export interface Receiver {
  readonly url: string
  readonly notices: ReadonlyArray<Notice>
  /** Responds with this function from now on. At first, it responds with 204. */
  readonly answerWith: (answering: Answering) => void
  /** The first POST that satisfies a condition. It waits for it, at most `timeout` milliseconds. */
  readonly notice: (satisfies: (notice: Notice) => boolean, timeout?: number) => Promise<Notice>
  readonly close: () => Promise<void>
}

/** Responds with a status and an empty body. */
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
  // Longer than a sender is stopped in any test: it finds its connections open.
  server.keepAliveTimeout = 60_000
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
    notice: (satisfies, timeout = 10_000) =>
      vi.waitUntil(() => notices.find(satisfies), { timeout, interval: 2 }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      })
  }
}
