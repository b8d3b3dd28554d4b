import { MailOutbox } from "@livery/domain"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { dispatcher } from "../support/Dispatchers.ts"
import { Ports } from "../support/TestPorts.ts"
import { CapturedLog } from "../support/CapturedLog.ts"
import { codeFor, login, newcomer } from "../support/People.ts"
import { type Answer, openServer, record, refusedAs } from "../support/TestServer.ts"

/** Every row of every table, as text. */
const database = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const tables = yield* sql<{
    name: string
  }>`SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'`
  const texts = yield* Effect.forEach(
    tables,
    ({ name }) => sql<{ text: string }>`SELECT t::text AS text FROM ${sql(name)} t`
  )
  return texts
    .flat()
    .map(({ text }) => text)
    .join("\n")
})

layer(Ports)("a secret", (it) => {
  it.effect("is in one response only: in no other response, no log line and no row of the database", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { lines } = yield* CapturedLog
      const person = newcomer()
      const answers: Array<Answer> = []
      const keep = <E, R>(asked: Effect.Effect<Answer, E, R>) =>
        Effect.tap(asked, (answer) => Effect.sync(() => answers.push(answer)))

      yield* keep(server.send("POST", "/auth/register", { body: person }))
      const sealed = yield* database
      const code = yield* codeFor(person.email)
      assert.notInclude(sealed, code)
      yield* keep(server.send("POST", "/auth/verify-email", { body: { code: "0000-0000-0000-0000" } }))
      yield* keep(server.send("POST", "/auth/verify-email", { body: { code } }))
      const wrongPassword = `${person.password} wrong`
      refusedAs(
        yield* keep(login(server, { ...person, password: wrongPassword })),
        401,
        "invalid_credentials"
      )
      const session = record(yield* login(server, person))
      const accessToken = String(session["access_token"])
      const refreshToken = String(session["refresh_token"])
      const made = record(yield* server.send("POST", "/me/api-keys", { credential: accessToken }))
      const key = String(made["api_key"])
      const endpoint = { url: "https://receiver.example.com/", events: ["trip.created"] }
      const secret = String(
        record(yield* server.send("POST", "/webhooks", { credential: key, body: endpoint }))["secret"]
      )
      for (const credential of [key, accessToken, `${key}x`, `${accessToken}x`])
        for (const path of ["/ping", "/me", "/business", "/trips", "/trips/1"])
          yield* keep(server.send("GET", path, { credential }))
      const rubbish = { credential: key, body: { customer_name: { password: person.password } } }
      yield* keep(server.send("POST", "/trips", rubbish))

      const secrets = [person.password, code, accessToken, refreshToken, key, secret]
      const places = {
        answers: answers.map(({ headers, text }) => text + JSON.stringify([...headers])).join("\n"),
        log: lines.join("\n"),
        database: yield* database
      }
      for (const value of secrets)
        for (const [place, text] of Object.entries(places)) assert.notInclude(text, value, place)
      // The search finds texts that are no secrets, which shows that it works.
      assert.include(places.log, "/api/v1/me/api-keys")
      assert.include(places.database, person.email)
    })
  )

  it.effect(
    "that is a driver's token or a trip's link is in one response only, and not readable in the response stored for repetitions",
    () =>
      Effect.gen(function* () {
        const server = yield* openServer()
        const { lines } = yield* CapturedLog
        const { book, drivers, send } = yield* dispatcher(server)
        const trip = yield* book()
        const once = (key: string) => ({ "idempotency-key": key })
        const path = `/trips/${trip}`
        const assigned = yield* send("POST", `${path}/drivers`, { driver_ids: drivers }, once("assigned"))
        const link = yield* send("POST", `${path}/tracking-link`, undefined, once("shared"))
        const tokens = [...assigned.text.matchAll(/drv_[0-9a-z]+_[\w-]{43}/gu)].map(([token]) => token)
        assert.lengthOf(tokens, 2)
        const secrets = [...tokens, String(record(link)["token"])]
        for (const token of tokens)
          yield* server.send("POST", `/driver/status?token=${token}`, { body: { status: "en_route" } })
        yield* server.send("GET", `/public/tracking/${String(record(link)["token"])}`)
        const others = yield* Effect.forEach(["", "/timeline", "/location"], (part) =>
          send("GET", `${path}${part}`)
        )
        const places = {
          answers: [...others, yield* send("GET", "/events"), yield* send("GET", "/dispatch/trips")]
            .map(({ text }) => text)
            .join("\n"),
          log: lines.join("\n"),
          database: yield* database
        }
        for (const value of secrets)
          for (const [place, text] of Object.entries(places)) assert.notInclude(text, value, place)
        assert.include(places.log, `/api/v1${path}/drivers`)
        assert.include(places.answers, "driver.assigned")
      })
  )

  it.effect("stays out of the log where a path or a query is the credential, however it is written", () =>
    Effect.gen(function* () {
      const { lines } = yield* CapturedLog
      const server = yield* openServer()
      const secret = "the-hash-of-an-invoice"
      for (const path of [
        `public/invoices/${secret}`,
        `PUBLIC//quotes/${secret}`,
        `public/tracking/${secret}`,
        `public/tracking/${secret}/stream`,
        `%70ublic/tracking/${secret}`,
        `public/tracking%2F${secret}`
      ])
        refusedAs(yield* server.send("GET", `/${path}`), 404, "not_found")
      refusedAs(yield* server.send("POST", `/public/invoices/${secret}/pay`), 404, "not_found")
      refusedAs(yield* server.send("GET", `/driver/trip?token=${secret}`), 401, "unauthorized")
      for (const path of [`/uploads/${secret}`, `/UPLOADS//${secret}`, `/%75ploads/${secret}`])
        refusedAs(yield* server.sendTo("GET", path), 404, "not_found")
      const log = lines.join("\n")
      assert.notInclude(log, secret)
      assert.include(log, "/api/v1/public/invoices/…/pay")
    })
  )

  it.effect("stays out of the log also when storing it fails", () =>
    Effect.gen(function* () {
      const { lines } = yield* CapturedLog
      const outbox = yield* MailOutbox
      const sql = yield* SqlClient.SqlClient
      const person = newcomer()
      const codes: Array<string> = []
      const server = yield* openServer().pipe(
        Effect.provideService(MailOutbox, {
          ...outbox,
          post: (message) =>
            Effect.andThen(
              Effect.sync(() =>
                codes.push(/(?:[0-9A-Z]+-)?[0-9A-Z]{4}(?:-[0-9A-Z]{4}){3}/u.exec(message.text)?.[0] ?? "none")
              ),
              Effect.orDie(Effect.asVoid(sql`INSERT INTO mail_outbox (no_such_column) VALUES (1)`))
            )
        })
      )
      refusedAs(yield* server.send("POST", "/auth/register", { body: person }), 500, "server_error")
      const log = lines.join("\n")
      assert.include(log, "no_such_column")
      for (const value of [person.password, ...codes]) assert.notInclude(log, value)
      assert.lengthOf(codes, 1)
      assert.deepStrictEqual(yield* sql`SELECT FROM users WHERE email = ${person.email}`, [])
    })
  )
})
