/** Receives webhooks. `verify` checks the signature. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { verify } from "@livery/domain/verify"

const secret = process.env.WEBHOOK_SECRET
if (!secret) throw new Error("WEBHOOK_SECRET is missing")

const eventOf = async (request: IncomingMessage) => {
  const chunks: Array<Buffer> = []
  let left = 1 << 20
  for await (const chunk of request)
    if ((left -= chunk.length) >= 0) chunks.push(chunk)
    else throw new Error("Longer than any event")
  return verify(request.headers["x-service-signature"]?.toString(), Buffer.concat(chunks), secret)
}

const answer = async (request: IncomingMessage, response: ServerResponse) => {
  const event = await eventOf(request).catch(() => undefined)
  response.writeHead(event ? 204 : 400).end()
  if (event) console.log(event.id, event.type, event.data)
}

createServer((request, response) => void answer(request, response)).listen(Number(process.env.PORT ?? 8080))
