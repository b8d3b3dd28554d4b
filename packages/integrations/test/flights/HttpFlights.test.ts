import { AddressPolicy, FlightSource } from "@livery/domain"
import { assert, describe, it } from "@effect/vitest"
import { type FlightTemplate, HttpFlights } from "@livery/integrations"
import { DateTime, Effect, Layer, Redacted } from "effect"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"

/** A service that answers each request with one text. It notes the requests. */
const serviceOf = (status: number, body: string) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const asked: Array<readonly [string, string | undefined]> = []
      const server = createServer((request, response) => {
        asked.push([request.url ?? "", request.headers["x-apikey"]?.toString()])
        response.writeHead(status, { location: "http://127.0.0.1:1/" }).end(body)
      })
      await new Promise<void>((resolve) => {
        server.listen(0, "127.0.0.1", resolve)
      })
      const { port } = server.address() as AddressInfo
      return { asked, close: () => server.close(), url: `http://127.0.0.1:${port}` }
    }),
    ({ close }) => Effect.sync(close)
  )

const template: FlightTemplate = {
  url: "",
  headers: { "x-apikey": "{secret}" },
  list: "data.flights",
  fields: {
    scheduled: "arrival.scheduled.utc",
    estimated: "arrival.revised.utc|arrival.predicted",
    landed: "arrival.runway",
    state: "status",
    terminal: "arrival.terminal",
    gate: "arrival.gates.0"
  }
}

const ask = Effect.fnUntraced(function* (
  { status, text }: { readonly status: number; readonly text: string },
  isAllowed = true
) {
  const { asked, url } = yield* serviceOf(status, text)
  const context = yield* Layer.build(
    HttpFlights.layer({
      ...template,
      url: `${url}/{airline}/{number}?day={date}&of={flight}`,
      secret: Redacted.make("s3cret")
    }).pipe(Layer.provide(Layer.succeed(AddressPolicy, { allows: () => isAllowed })))
  )
  const find = yield* Effect.provide(FlightSource, context)
  const found = find === undefined ? Effect.die("no port") : find({ flight: "LX8", day: "2026-11-20" })
  return { asked, found }
})

const answer = (flights: unknown) => ({ status: 200, text: JSON.stringify({ data: { flights } }) })

describe("the status of a flight", () => {
  it.effect("is asked for by the template, and read from the places that it names", () =>
    Effect.gen(function* () {
      const { asked, found } = yield* ask(
        answer([
          {
            status: "En Route",
            arrival: {
              scheduled: { utc: "2026-11-20 10:00Z", local: "2026-11-20 11:00+01:00" },
              predicted: 1_795_170_600,
              terminal: 2,
              gates: ["A46"]
            }
          },
          { status: "Canceled", arrival: { scheduled: { utc: "2026-11-20T12:00:00+01:00" } } },
          {
            status: "unknown",
            arrival: { scheduled: { utc: "2026-11-20 10:00" }, runway: "2026-11-20T10:02:00Z" }
          }
        ])
      )
      const none = { estimated: null, landed: null, terminal: null, gate: null }
      const at = (time: string) => DateTime.makeUnsafe(`2026-11-20T${time}Z`)
      assert.deepStrictEqual(yield* found, [
        {
          state: "active",
          scheduled: at("10:00:00"),
          estimated: at("10:30:00"),
          landed: null,
          terminal: "2",
          gate: "A46"
        },
        { ...none, state: "cancelled", scheduled: at("11:00:00") },
        { ...none, state: "landed", scheduled: null, landed: at("10:02:00") }
      ])
      assert.deepStrictEqual(asked, [["/LX/8?day=2026-11-20&of=LX8", "s3cret"]])
    })
  )

  it.effect("is unknown if the service knows no such flight", () =>
    Effect.gen(function* () {
      const { found } = yield* ask({ status: 404, text: "" })
      assert.deepStrictEqual(yield* found, [])
    })
  )

  it.effect("is not available from an address that is not allowed: no request is sent", () =>
    Effect.gen(function* () {
      const { asked, found } = yield* ask(answer([]), false)
      assert.strictEqual((yield* Effect.flip(found)).reason, "the address is not allowed")
      assert.deepStrictEqual(asked, [])
    })
  )

  for (const [fault, given, reason] of [
    ["a redirect", { status: 302, text: "" }, "it responded with 302"],
    ["an error", { status: 500, text: "" }, "it responded with 500"],
    ["another form", { status: 200, text: "[]" }, "the response has no list of flights"],
    ["no JSON", { status: 200, text: "<html>" }, "the response is not one of its kind"]
  ] as const)
    it.effect(`is not available after ${fault}, and the secret is in no message`, () =>
      Effect.gen(function* () {
        const { found } = yield* ask(given)
        const { message, reason: given_ } = yield* Effect.flip(found)
        assert.strictEqual(given_, reason)
        assert.notInclude(message, "s3cret")
      })
    )
})
