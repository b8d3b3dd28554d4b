/** Runs commands over HTTP: with the business's key, by signed-in drivers, and with driver tokens. */
import { AccessTokens, SessionId, UserId } from "@livery/domain"
import { assert } from "@effect/vitest"
import { Context, Effect, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { expireCredentials } from "../../support/TestPorts.ts"
import { makeDriver, operator } from "../../support/People.ts"
import { type Answer as Reply, openServer, record, type TestServer } from "../../support/TestServer.ts"
import type { Answer, Command } from "./Command.ts"
import type { Made } from "./State.ts"
import { type Asker, requestOf } from "./Request.ts"
import {
  accounts,
  doneWith,
  keep,
  openBusiness,
  refusedWith,
  requestTrip,
  type Subject,
  Tokens
} from "./Subject.ts"

/** An account with a session that does not expire during the test. */
interface Person {
  readonly userId: number
  readonly sessionId: number
}

/**
 * A server, and people who work for a business there: its owner, and those who sign in as drivers, the last of
 * whom drives for no business.
 */
export class ServerAndPeople extends Context.Service<
  ServerAndPeople,
  { readonly server: TestServer; readonly owner: Person; readonly drivers: ReadonlyArray<Person> }
>()("@livery/http-adapter/test/ServerAndPeople") {
  static readonly layer = Layer.effect(
    ServerAndPeople,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const server = yield* openServer()
      const person = Effect.gen(function* () {
        const { userId } = yield* operator(server)
        const [session] = yield* sql<{ id: number }>`
          SELECT session_id AS id FROM session_families WHERE user_id = ${userId}`
        return { userId, sessionId: session?.id ?? 0 }
      })
      const owner = yield* person
      const drivers = yield* Effect.all(Array.from({ length: accounts + 1 }, () => person))
      yield* Effect.forEach(drivers, ({ userId }) => makeDriver(userId))
      return { server, owner, drivers }
    })
  )
}

/** A business whose commands run over HTTP. */
export const byHttp = Effect.gen(function* () {
  const { drivers, owner, server } = yield* ServerAndPeople
  const sql = yield* SqlClient.SqlClient
  const accessTokens = yield* AccessTokens
  const businessId = yield* openBusiness
  const made: Made = { trips: [], drivers: [], cars: [] }
  const tokens = new Tokens()

  const credentialOf = ({ sessionId, userId }: Person) =>
    Effect.map(
      accessTokens.issue({ userId: UserId.make(userId), sessionId: SessionId.make(sessionId) }),
      Redacted.value
    )

  yield* sql`
    INSERT INTO business_members (business_id, user_id, created_at) VALUES (${businessId}, ${owner.userId}, now())`
  yield* expireCredentials
  const key = String(
    record(
      yield* server.send("POST", "/me/api-keys", {
        credential: yield* credentialOf(owner),
        business: businessId
      })
    )["api_key"]
  )

  /** The account of a driver; that of no driver if the driver does not exist. */
  const accountOf = (driver: number) => drivers[driver] ?? drivers.at(-1)

  const headersOf = Effect.fnUntraced(function* (asker: Asker) {
    if (asker.as === "operator") return { credential: key }
    if (asker.as === "token") return {}
    const account = accountOf(asker.driver)
    return account === undefined ? {} : { credential: yield* credentialOf(account), business: businessId }
  })

  /** A hired driver gets an account to sign in with, while accounts are left. */
  const link = Effect.fnUntraced(function* (place: number) {
    const account = place < accounts ? accountOf(place) : undefined
    if (account === undefined) return
    yield* sql`
      UPDATE drivers SET user_id = ${account.userId}
      WHERE business_id = ${businessId} AND driver_id = ${made.drivers[place] ?? 0}`
    yield* sql`
      INSERT INTO driver_accounts (user_id, business_id) VALUES (${account.userId}, ${businessId}) ON CONFLICT DO NOTHING`
    yield* expireCredentials
  }, Effect.orDie)

  const answerOf = Effect.fnUntraced(function* (command: Command, reply: Reply): Effect.fn.Return<Answer> {
    const { error } = reply.body
    if (error !== undefined) {
      assert.isBelow(reply.status, 500, reply.fault ?? reply.text)
      return refusedWith(error.type, error.details)
    }
    const answered = record(reply)
    keep(made, command, answered)
    if (command.act === "hire") yield* link(made.drivers.length - 1)
    if (command.act === "assign") tokens.keep(command.trip, made, answered)
    return doneWith(made, answered)
  })

  const subject = {
    businessId,
    made,
    run: Effect.fnUntraced(function* (command: Command) {
      if (command.act === "request")
        return yield* Effect.provideService(
          requestTrip(businessId, made, command.slot),
          SqlClient.SqlClient,
          sql
        )
      const { asker, body, method, path } = requestOf(command, made)
      const query = asker.as === "token" ? `?token=${tokens.of(asker.trip, asker.driver)}` : ""
      return yield* answerOf(
        command,
        yield* server.send(method, `${path}${query}`, { ...(yield* headersOf(asker)), body })
      )
    })
  } satisfies Subject
  /** Sends something else, with the business's key. */
  const send = (method: string, path: string, body?: unknown) =>
    server.send(method, path, { credential: key, ...(body === undefined ? {} : { body }) })

  return { ...subject, send }
})
