/** Records requests and responses, in a form that is the same for two equal installations. */
import { Effect } from "effect"
import type { Answer, Ask, TestServer } from "./TestServer.ts"

const day = 86_400_000

/** Times of the database's clock, which are replaced. Those of the test's clock stay. */
const withoutRealTimes = (text: string) =>
  text.replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/gu, (time) =>
    Math.abs(Date.parse(time) - Date.now()) < day ? "now" : time
  )

const normalised = (text: string) =>
  withoutRealTimes(text)
    .replaceAll(/req_[\da-f]{24}/gu, "req")
    .replaceAll(/"next_after":"[^"]*"/gu, '"next_after":"cursor"')
    .replaceAll(/"price_token":"[^"]*"/gu, '"price_token":"sealed"')

/** A record with a time of the database's clock has another tag in each installation; an endpoint has one. */
const withoutRealTags = (line: string) =>
  line.includes('"now"') || line.includes(" /api/v1/webhooks/")
    ? line.replaceAll(/^etag: .*$/gmu, "etag: its own")
    : line

/** A cursor of the feed of events holds numbers of the database's own, which may be longer in one installation. */
const withoutLength = (line: string) =>
  line.includes(" /api/v1/events") ? line.replace(/^content-length: .*$/mu, "content-length: its own") : line

const lineOf = (method: string, path: string, ask: Ask, { headers, status, text }: Answer) =>
  withoutLength(
    withoutRealTags(
      [
        `${method} ${path}`,
        JSON.stringify({ ...ask, form: undefined }).slice(0, 2000),
        String(status),
        ...[...headers].map(([name, value]) => `${name}: ${value}`).sort(),
        text
      ]
        .map(normalised)
        .join("\n")
    )
  )

/** The server, with the recorded requests and responses. */
export const transcribed = (server: TestServer) => {
  const lines: Array<string> = []
  const sendTo: TestServer["sendTo"] = (method, path, ask = {}) =>
    Effect.tap(server.sendTo(method, path, ask), (answer) =>
      Effect.sync(() => lines.push(lineOf(method, path, ask, answer)))
    )
  const recorded: TestServer = {
    ...server,
    sendTo,
    send: (method, path, ask) => sendTo(method, `/api/v1${path}`, ask)
  }
  return { server: recorded, lines }
}
