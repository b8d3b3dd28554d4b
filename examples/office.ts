/**
 * A service of an office: it books a trip for each order that is posted to it, and prints the events of the business as they
 * happen. `LIVERY_URL` is the address of the API, which ends in `/api/v1`, and `LIVERY_API_KEY` a key of the business.
 */
import { livery, LiveryError, type TripsCreateInput } from "@livery/client"
import { createServer, type IncomingMessage } from "node:http"
import { setTimeout } from "node:timers/promises"

const client = livery({
  baseUrl: process.env["LIVERY_URL"] ?? "http://localhost:3000/api/v1",
  apiKey: process.env["LIVERY_API_KEY"]
})

/** An order of the office's own system. */
interface Order {
  readonly number: string
  readonly trip: TripsCreateInput
}

const book = async (order: Order) => {
  try {
    // An order that is posted twice is booked once.
    const trip = await client.trips.create(order.trip, { idempotencyKey: `order ${order.number}` })
    return { status: 201, answer: { reference: trip.reference } }
  } catch (error) {
    if (!(error instanceof LiveryError)) throw error
    return error.type === "invalid_request"
      ? { status: 422, answer: { wrong: error.details } }
      : { status: 502, answer: { reason: error.message, request: error.requestId } }
  }
}

const bodyOf = async (request: IncomingMessage) => {
  const chunks: Array<Buffer> = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return JSON.parse(Buffer.concat(chunks).toString()) as Order
}

const server = createServer((request, response) => {
  bodyOf(request)
    .then(book)
    .catch((error: unknown) => ({ status: 400, answer: { reason: String(error) } }))
    .then(({ answer, status }) => response.writeHead(status).end(JSON.stringify(answer)))
    .catch(console.error)
})
server.listen(Number(process.env["PORT"] ?? 8080))

// A service that must not miss an event stores `after` together with its work on the events.
let { next_after: after } = (await client.events.list({ after: "latest" }).page()).meta.pagination
console.log(`Following from ${after}`)
while (true) {
  const { data, meta } = await client.events.list({ after }).page()
  for (const { id, type } of data) console.log(`${type} ${id}`)
  after = meta.pagination.next_after
  if (!meta.pagination.has_more) await setTimeout(1000)
}
