import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { until } from "../support/PassingTime.ts"
import { business } from "../support/People.ts"
import { Ports } from "../support/TestPorts.ts"
import {
  type OpenAnswer,
  openServer,
  record,
  refusedAs,
  records,
  type TestServer
} from "../support/TestServer.ts"

/** The events of a stream so far. */
const eventsOf = ({ soFar }: OpenAnswer) =>
  [
    ...soFar().matchAll(/^event: (\w+)\nid: (.*)\ndata: (.*)\n\n|^id: (.*)\nevent: (\w+)\ndata: (.*)\n\n/gmu)
  ].map(([, event, id, data, otherId, otherEvent, otherData]) => ({
    event: event ?? otherEvent,
    id: id ?? otherId ?? "",
    data: JSON.parse(data ?? otherData ?? "{}") as Readonly<Record<string, unknown>>
  }))

const namesOf = (stream: OpenAnswer) => eventsOf(stream).map(({ event }) => event)

const today = "2026-11-20"

const scene = Effect.fnUntraced(function* (server: TestServer) {
  const { key, token } = yield* business(server)
  const send = (method: string, path: string, body?: unknown) =>
    server.send(method, path, { credential: key, ...(body === undefined ? {} : { body }) })
  const book = Effect.map(
    send("POST", "/trips", {
      trip_date: `${today}T18:00:00Z`,
      pickup_address: "Here",
      dropoff_address: "There",
      customer_name: "Ada"
    }),
    (answer) => Number(record(answer)["trip_id"])
  )
  const open = (lastEventId?: string, query = "") =>
    Effect.tap(
      server.open(`/dispatch/stream${query}`, {
        credential: key,
        ...(lastEventId === undefined ? {} : { headers: { "last-event-id": lastEventId } })
      }),
      (stream) => until(() => eventsOf(stream).length > 0)
    )
  return { key, token, send, book, open }
})

layer(Ports)("the stream of the dispatch board", (it) => {
  it.effect("names what other requests change, and resumes after the last event", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { book, open, send } = yield* scene(server)
      const stream = yield* open(undefined, `?date=${today}`)
      assert.strictEqual(stream.status, 200)
      assert.strictEqual(stream.headers.get("content-type"), "text/event-stream")
      assert.deepStrictEqual(eventsOf(stream)[0]?.data, { reason: "start" })
      const trip = yield* book
      yield* until(() => namesOf(stream).length === 3)
      assert.deepStrictEqual(namesOf(stream), ["gap", "trip", "counts"])
      const [, booked, counts] = eventsOf(stream)
      assert.deepStrictEqual(booked?.data, records(yield* send("GET", `/dispatch/trips?date=${today}`))[0])
      assert.strictEqual(counts?.data["unassigned"], 1)
      yield* stream.leave
      record(yield* send("PATCH", `/trips/${trip}`, { status: "cancelled" }))
      const again = yield* open(counts?.id, `?date=${today}`)
      yield* until(() => namesOf(again).length === 2)
      assert.deepStrictEqual(namesOf(again), ["gone", "counts"])
      assert.deepStrictEqual(eventsOf(again)[0]?.data, { trip_id: trip })
      const unknown = yield* open("ffff-1", `?date=${today}`)
      assert.deepStrictEqual(eventsOf(unknown)[0]?.data, { reason: "missed" })
    })
  )

  it.effect("is for callers who may read the board, and ends with their credential", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { key, open, send, token } = yield* scene(server)
      const other = yield* scene(server)
      refusedAs(yield* server.send("GET", "/dispatch/stream"), 401, "unauthorized")
      refusedAs(yield* send("GET", `/dispatch/stream?from=${today}T00:00:00Z`), 422, "invalid_request")
      refusedAs(yield* send("GET", "/dispatch/stream?status=pending"), 422, "invalid_request")
      const [own, foreign] = [yield* open(), yield* other.open()]
      yield* other.book
      yield* until(() => namesOf(foreign).includes("trip"))
      assert.deepStrictEqual(namesOf(own), ["gap"])
      yield* server.send("DELETE", "/me/api-keys", { credential: token, body: { api_key: key } })
      yield* until(own.isOver)
      assert.isFalse(foreign.isOver())
    })
  )
})
