/** The texts of exported log lines. */
import { createServer } from "node:http"
import { text } from "node:stream/consumers"
import type { AddressInfo } from "node:net"
import { assert, describe, it } from "@effect/vitest"
import { OtlpLogs } from "@livery/integrations"
import { Duration, Effect, Redacted } from "effect"

/** A collector on the loopback; its last request is the whole export of a scope. */
const collector = Effect.acquireRelease(
  Effect.promise(
    () =>
      new Promise<{ readonly url: string; readonly bodies: Array<string>; readonly close: () => void }>(
        (resolve) => {
          const bodies: Array<string> = []
          const server = createServer((request, response) => {
            void text(request).then((body) => {
              bodies.push(body)
              response.end()
            })
          })
          server.listen(0, "127.0.0.1", () =>
            resolve({
              url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/logs`,
              bodies,
              close: () => server.close()
            })
          )
        }
      )
  ),
  ({ close }) => Effect.sync(close)
)

/** The messages that a collector receives, if these are logged. */
const exportedOf = (...messages: ReadonlyArray<string>) =>
  Effect.scoped(
    Effect.gen(function* () {
      const { bodies, url } = yield* collector
      const layer = OtlpLogs.layer({
        url,
        protocol: "http/json",
        headers: Redacted.make({}),
        serviceName: "cars",
        serviceVersion: "1",
        timeout: Duration.seconds(5),
        interval: Duration.seconds(60)
      })
      yield* Effect.forEach(messages, (message) => Effect.logInfo(message)).pipe(
        Effect.provide(layer),
        Effect.scoped
      )
      return [...bodies.join("").matchAll(/"body":\{"stringValue":"([^"]*)"\}/gu)].map(([, body]) => body)
    })
  )

describe("the message of an exported log line", () => {
  it.live("has no mail address, URL and path", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(
        yield* exportedOf(
          "sent to <ann@example.com>, by https://mail.example.com",
          "no such file: /srv/ann.pdf"
        ),
        ["sent to … by …", "no such file: …"]
      )
    })
  )

  it.live(
    "is searched for them in a time that grows with its length",
    () =>
      Effect.gen(function* () {
        const long = "x".repeat(200_000)
        assert.deepStrictEqual(yield* exportedOf(long), [long])
      }),
    { timeout: 5000 }
  )
})
