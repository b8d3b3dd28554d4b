/** A business that quotes, for tests over HTTP. */
import { Effect } from "effect"
import { company } from "../support/Fleet.ts"
import { setCredits } from "../support/People.ts"
import { Rows } from "../support/Rows.ts"
import { booking } from "../support/Tenant.ts"
import { record, type TestServer } from "../support/TestServer.ts"

/** The body of a quote: one trip for 90. */
export const ride = { description: "Ride", trip: booking, amount: 90 }

/** A business, with functions that make and answer its quotes. */
export const seller = Effect.fnUntraced(function* (server: TestServer) {
  const owner = yield* company(server)
  const rows = yield* Rows
  yield* setCredits(owner.businessId, 100)
  const quote = (body: object = {}) =>
    Effect.map(owner.send("POST", "/quotes", { customer_name: "Ada", items: [ride], ...body }), record)
  const step = (quoteId: unknown, name: string, body?: object) =>
    owner.send("POST", `/quotes/${String(quoteId)}/${name}`, body)
  const sent = Effect.fnUntraced(function* (body: object = {}) {
    const { quote_id } = yield* quote(body)
    const { token } = record(yield* step(quote_id, "send"))
    return { quote_id, token: String(token) }
  })
  const answer = (token: string, name: "accept" | "reject", body: object = { name: "Ada Lovelace" }) =>
    server.send("POST", `/public/quotes/${token}/${name}`, { body, peer: "192.0.2.7" })
  const events = (type: string) =>
    Effect.map(rows.eventsOf(owner.businessId), (events) => events.filter((event) => event.type === type))
  return { ...owner, answer, events, quote, sent, step }
})
