import { createServer } from "node:http"

/** A service on loopback. */
export interface Emulated {
  readonly url: string
  readonly close: () => void
}

/** Starts a service that answers each request with JSON. */
export const emulated = async (answer: (path: string, body: string) => unknown): Promise<Emulated> => {
  const server = createServer((request, response) => {
    const chunks: Array<Buffer> = []
    request.on("data", (chunk: Buffer) => chunks.push(chunk))
    request.on("end", () => {
      response.writeHead(200, { "Content-Type": "application/json" })
      response.end(JSON.stringify(answer(request.url ?? "", Buffer.concat(chunks).toString("utf8"))))
    })
  })
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve)
  })
  const address = server.address()
  const port = typeof address === "object" && address !== null ? address.port : 0
  return {
    url: `http://127.0.0.1:${port}`,
    close: () => {
      server.close()
      server.closeAllConnections()
    }
  }
}
