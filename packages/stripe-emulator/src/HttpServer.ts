/** The HTTP server in front of an account. */
import { Effect } from "effect"
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http"
import type { ArrivedRequest, Reply } from "./Requests.ts"

const maximumBodyBytes = 1024 * 1024

const bodyOf = async (request: IncomingMessage): Promise<string> => {
  const chunks: Array<Buffer> = []
  let size = 0
  for await (const chunk of request) {
    const bytes = Buffer.from(chunk as Uint8Array)
    size += bytes.length
    if (size > maximumBodyBytes) throw new RangeError("The body is too large")
    chunks.push(bytes)
  }
  return Buffer.concat(chunks).toString()
}

const headersOf = (request: IncomingMessage) =>
  Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [name, Array.isArray(value) ? value[0] : value])
  )

/** Sends a body that does not end until the client closes the connection. */
const writeEndlessly = (response: ServerResponse) => {
  response.writeHead(200, { "content-type": "application/json" })
  const chunk = " ".repeat(65_536)
  const writeUntilFull = () => {
    while (!response.destroyed && response.write(chunk));
  }
  response.on("drain", writeUntilFull)
  writeUntilFull()
}

const send = (response: ServerResponse, reply: Reply) => {
  switch (reply._tag) {
    case "Answer": {
      response.writeHead(reply.status, reply.headers)
      response.end(reply.text)
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

type Handle = (request: ArrivedRequest) => Reply

/** Stripe lets pages of any origin send requests with its publishable key. */
const forAnyOrigin = (response: ServerResponse) => {
  response.setHeader("access-control-allow-origin", "*")
  response.setHeader("access-control-allow-methods", "GET, POST")
  response.setHeader("access-control-allow-headers", "authorization, content-type")
}

const answer = async (request: IncomingMessage, response: ServerResponse, handle: Handle) => {
  forAnyOrigin(response)
  try {
    if (request.method === "OPTIONS") {
      response.writeHead(204).end()
      return
    }
    const address = new URL(request.url ?? "/", "http://stripe.invalid")
    const body = await bodyOf(request)
    const reply = handle({
      method: request.method ?? "",
      path: address.pathname,
      query: address.search,
      body,
      headers: headersOf(request)
    })
    send(response, reply)
  } catch {
    response.destroy()
  }
}

const listen = (port: number, handle: Handle) =>
  Effect.callback<Server, Error>((resume) => {
    const server = createServer((request, response) => void answer(request, response, handle))
    server.once("error", (error) => resume(Effect.fail(error)))
    server.listen(port, "127.0.0.1", () => resume(Effect.succeed(server)))
  })

const close = (server: Server) =>
  Effect.callback<void>((resume) => {
    server.close(() => resume(Effect.void))
    server.closeAllConnections()
  })

const urlOf = (server: Server) => {
  const address = server.address()
  if (typeof address !== "object" || address === null) throw new Error("The server does not listen")
  return `http://127.0.0.1:${address.port}`
}

/** Listens on the loopback until the scope closes, and returns the URL. A `port` of 0 takes any free one. */
export const serve = (port: number, handle: Handle) =>
  Effect.map(Effect.acquireRelease(listen(port, handle), close), urlOf)
