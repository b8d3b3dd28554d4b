import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { PortsInMemory } from "../support/TestPorts.ts"
import { login, member } from "../support/People.ts"
import { openServer, record, refusedAs, type TestServer } from "../support/TestServer.ts"

const signIn = Effect.fnUntraced(function* (
  server: TestServer,
  person: { readonly email: string; readonly password: string }
) {
  const { access_token, refresh_token } = record(yield* login(server, person))
  return { access: String(access_token), refresh: String(refresh_token) }
})

const refresh = (server: TestServer, refresh_token: string) =>
  server.send("POST", "/auth/refresh", { body: { refresh_token } })

const statusOf = (server: TestServer, credential: string) =>
  Effect.map(server.send("GET", "/me", { credential }), ({ status }) => status)

layer(PortsInMemory)("a refresh token in a body", (it) => {
  const around = ["", " ", "\n", "\t \r\n"]

  it.effect("is accepted with spaces and line breaks around it", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const person = yield* member(server)
      for (const space of around) {
        const tokens = yield* signIn(server, person)
        const pair = record(yield* refresh(server, `${space}${tokens.refresh}${space}`))
        const body = { refresh_token: `${space}${String(pair["refresh_token"])}${space}` }
        assert.deepStrictEqual(record(yield* server.send("POST", "/auth/logout", { body })), {
          logged_out: true
        })
      }
    })
  )

  it.effect("that is blank or null counts as absent: required to refresh, optional to log out", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const person = yield* member(server)
      for (const refresh_token of [null, ...around]) {
        if (refresh_token !== null)
          assert.deepStrictEqual(refusedAs(yield* refresh(server, refresh_token), 422, "invalid_request"), [
            { field: "refresh_token", issue: "required" }
          ])
        const body = { refresh_token }
        refusedAs(yield* server.send("POST", "/auth/logout", { body }), 401, "unauthorized")
        const { access } = yield* signIn(server, person)
        const answer = yield* server.send("POST", "/auth/logout", { body, credential: access })
        assert.deepStrictEqual(record(answer), { logged_out: true })
        assert.strictEqual(yield* statusOf(server, access), 401)
      }
    })
  )

  it.effect("that cannot be a token is 422 where one is required", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      for (const [refresh_token, issue] of [
        ["x".repeat(513), "too_long"],
        ["a\u0000", "invalid"],
        [7, "invalid"]
      ] as const)
        for (const path of ["/auth/refresh", "/auth/logout"]) {
          const answer = yield* server.send("POST", path, { body: { refresh_token } })
          assert.deepStrictEqual(refusedAs(answer, 422, "invalid_request"), [
            { field: "refresh_token", issue }
          ])
        }
    })
  )
})
