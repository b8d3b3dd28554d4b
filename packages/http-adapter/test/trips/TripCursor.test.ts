import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { Ports } from "../support/TestPorts.ts"
import { dispatcher } from "../support/Dispatchers.ts"
import { openServer, refusedAs } from "../support/TestServer.ts"

const written = (text: string) => Buffer.from(text).toString("base64url")

const someday = Date.UTC(2026, 10, 20)

layer(Ports)("a forged cursor", (it) => {
  it.effect("is refused for a page before the second, for no trip, and for a year that no trip has", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { book, send } = yield* dispatcher(server)
      yield* book()
      for (const place of [
        "1.-8640000000000000.1",
        "2.-8640000000000000.1",
        "2.8640000000000000.1",
        `2.${Date.UTC(1969, 11, 30)}.1`,
        `2.${Date.UTC(3000, 0, 3)}.1`,
        "-5.99999999999999.1",
        `0.${someday}.1`,
        `1.${someday}.1`,
        `2.${someday}.0`,
        `2.${someday}.-1`
      ])
        for (const filter of ["", "filter=upcoming&"])
          assert.deepStrictEqual(
            refusedAs(yield* send("GET", `/trips?${filter}cursor=${written(place)}`), 422, "invalid_request"),
            [{ field: "cursor", issue: "invalid" }],
            place
          )
      const answer = yield* send("GET", `/trips?filter=upcoming&cursor=${written(`2.${someday}.1`)}`)
      assert.deepInclude(answer.body.meta?.pagination, { page: 2, count: 1 })
    })
  )
})
