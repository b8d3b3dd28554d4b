/** The HTTP server in front of an account. */
import { Effect } from "effect"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { ArrivedRequest, Reply } from "./Requests.ts"

const maximumBody = 1024 * 1024

const bodyOf = async (request: IncomingMessage): Promise<string> => {
  const chunks: Array<Buffer> = []
  let size = 0
  for await (const chunk of request) {
    const bytes = Buffer.from(chunk as Uint8Array)
    size += bytes.length
    if (size > maximumBody) throw new RangeError("The body is too large")
    chunks.push(bytes)
  }
  return Buffer.concat(chunks).toString()
}

const flatHeaders = (request: IncomingMessage) =>
  Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [name, Array.isArray(value) ? value[0] : value])
  )

/** Sends a body that does not end until the client closes the connection. */
const writeEndlessly = (response: ServerResponse) => {
  response.writeHead(200, { "content-type": "application/json" })
  const chunk = " ".repeat(65_536)
  const more = () => {
    while (!response.destroyed && response.write(chunk));
  }
  response.on("drain", more)
  more()
}

const reply = (response: ServerResponse, answer: Reply) => {
  switch (answer._tag) {
    case "Answer": {
      response.writeHead(answer.status, answer.headers)
      response.end(answer.text)
      return
    }
    case "Cut": {
      response.destroy()
      return
    }
    case "Endless": {
      writeEndlessly(response)
      return
    }
    case "Silence":
  }
}

/** Listens on the loopback until the scope closes, and gives the address. A `port` of 0 takes any free one. */
export const serve = (port: number, handle: (request: ArrivedRequest) => Reply) =>
  Effect.acquireRelease(
    Effect.callback<{ readonly url: string; readonly close: () => Promise<void> }, Error>((resume) => {
      const server = createServer((request, response) => {
        const address = new URL(request.url ?? "/", "http://stripe.invalid")
        bodyOf(request)
          .then((body) =>
            reply(
              response,
              handle({
                method: request.method ?? "",
                path: address.pathname,
                query: address.search,
                body,
                headers: flatHeaders(request)
              })
            )
          )
          .catch(() => response.destroy())
      })
      server.once("error", (error) => resume(Effect.fail(error)))
      server.listen(port, "127.0.0.1", () => {
        const listening = server.address()
        resume(
          Effect.succeed({
            url: `http://127.0.0.1:${typeof listening === "object" && listening !== null ? listening.port : port}`,
            close: () =>
              new Promise<void>((resolve) => {
                server.close(() => resolve())
                server.closeAllConnections()
              })
          })
        )
      })
    }),
    ({ close }) => Effect.promise(close)
  ).pipe(Effect.map(({ url }) => url))
