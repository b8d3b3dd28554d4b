import { SessionId, SessionRepository, Transaction } from "@livery/domain"
import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, Exit, Option } from "effect"
import { SqlClient } from "effect/sql"
import { atOnce, TestPersistence } from "../support/TestPersistence.ts"
import { identityNode, newPerson } from "../support/IdentityNode.ts"

const rounds = Number(process.env["LIVERY_TEST_REFRESH_ROUNDS"] ?? 20)
const races = Number(process.env["LIVERY_TEST_SESSION_RACES"] ?? 50)

/** Two nodes, and a signed-in user. */
const begin = Effect.gen(function* () {
  const desks = [yield* identityNode(), yield* identityNode()] as const
  const person = yield* newPerson
  const login = desks[0].login(person.user.email, person.password)
  return { desks, ...person, login }
})

const liveTokensOf = Effect.fnUntraced(function* (userId: number) {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql`
    SELECT FROM refresh_tokens JOIN session_families USING (session_id)
    WHERE user_id = ${userId} AND revoked_at IS NULL AND rotated_at IS NULL`
  return rows.length
})

const tagsOf = (answers: ReadonlyArray<Exit.Exit<unknown, { readonly _tag: string }>>) =>
  answers.map((answer) =>
    Exit.isSuccess(answer)
      ? "ok"
      : Exit.findErrorOption(answer).pipe(
          Option.map(({ _tag }) => _tag),
          Option.getOrElse(() => "fault")
        )
  )

layer(TestPersistence, { timeout: 60_000 })("sessions under races", (it) => {
  it.effect(
    "of 50 refreshes with one token at most one succeeds, none is a fault, and at most one token is valid",
    () =>
      Effect.gen(function* () {
        const { desks, login, user } = yield* begin
        for (let round = 0; round < rounds; round++) {
          const { refresh_token } = yield* login
          const answers = yield* atOnce(50, (index) =>
            Effect.exit((index % 2 === 0 ? desks[0] : desks[1]).refresh(refresh_token))
          )
          const tags = tagsOf(answers)
          assert.lengthOf(
            tags.filter((tag) => tag === "ok"),
            1
          )
          assert.lengthOf(
            tags.filter((tag) => tag === "Unauthorized"),
            49
          )
          // The 49 replays have ended the family, with its one successor.
          assert.strictEqual(yield* liveTokensOf(user.user_id), 0)
        }
      }),
    { timeout: 600_000 }
  )

  it.effect(
    "with a grace period, 50 refreshes with one token all get the same successor",
    () =>
      Effect.gen(function* () {
        const desk = yield* identityNode(30)
        const { password, user } = yield* newPerson
        const { refresh_token } = yield* desk.login(user.email, password)
        const answers = yield* atOnce(50, () => desk.refresh(refresh_token))
        assert.strictEqual(new Set(answers.map((it) => it.refresh_token)).size, 1)
        assert.strictEqual(yield* liveTokensOf(user.user_id), 1)
      }),
    { timeout: 60_000 }
  )

  it.effect(
    "after a logout has returned, no token of the session works, also with concurrent refreshes",
    () =>
      Effect.gen(function* () {
        const { desks, login, user } = yield* begin
        for (let race = 0; race < races; race++) {
          const { access_token, refresh_token } = yield* login
          yield* desks[0].admits(access_token)
          const [refreshed, { logged_out }] = yield* Effect.all(
            race % 2 === 0
              ? [Effect.exit(desks[0].refresh(refresh_token)), desks[1].logout(refresh_token)]
              : [Effect.exit(desks[1].refresh(refresh_token)), desks[0].logout(refresh_token)],
            { concurrency: 2 }
          )
          assert.isTrue(logged_out)
          assert.notInclude(tagsOf([refreshed]), "fault")
          assert.strictEqual(yield* liveTokensOf(user.user_id), 0)
          const tokens = [
            refresh_token,
            ...(Exit.isSuccess(refreshed) ? [refreshed.value.refresh_token] : [])
          ]
          for (const token of tokens)
            assert.deepStrictEqual(tagsOf([yield* Effect.exit(desks[1].refresh(token))]), ["Unauthorized"])
          // The node of the logout has removed the session from its cache. The other one may use its cache for 900
          // ms.
          assert.strictEqual(yield* desks[race % 2 === 0 ? 1 : 0].admits(access_token), "Unauthorized")
        }
      }),
    { timeout: 600_000 }
  )

  it.effect(
    "after a password change has returned, no other session works, also with concurrent refreshes and logins",
    () =>
      Effect.gen(function* () {
        const { desks, user } = yield* begin
        let password = "password 0"
        for (let race = 0; race < races; race++) {
          const mine = yield* desks[0].login(user.email, password)
          const other = yield* desks[1].login(user.email, password)
          const sessionId = Number(mine.access_token.split(":")[1])
          const next = `password ${race + 1}`
          const [changed, refreshed, opened, kept] = yield* Effect.all(
            [
              Effect.exit(desks[0].change(user, SessionId.make(sessionId), password, next)),
              Effect.exit(desks[1].refresh(other.refresh_token)),
              Effect.exit(desks[1].login(user.email, password)),
              Effect.exit(desks[0].refresh(mine.refresh_token))
            ],
            { concurrency: "unbounded" }
          )
          assert.deepStrictEqual(tagsOf([changed, kept]), ["ok", "ok"])
          assert.notInclude(tagsOf([refreshed, opened]), "fault")
          assert.strictEqual(yield* liveTokensOf(user.user_id), 1)
          const gone = [
            ...(Exit.isSuccess(refreshed) ? [refreshed.value.refresh_token] : []),
            ...(Exit.isSuccess(opened) ? [opened.value.refresh_token] : [])
          ]
          for (const token of gone)
            assert.deepStrictEqual(tagsOf([yield* Effect.exit(desks[1].refresh(token))]), ["Unauthorized"])
          const successor = Exit.isSuccess(kept) ? kept.value.refresh_token : ""
          yield* desks[0].logout((yield* desks[0].refresh(successor)).refresh_token)
          password = next
        }
      }),
    { timeout: 600_000 }
  )

  it.effect("concurrent password changes, a reset and logouts end without a fault", () =>
    Effect.gen(function* () {
      const { desks, login, password, user } = yield* begin
      const sessions = yield* SessionRepository
      const transaction = yield* Transaction
      for (let race = 0; race < 5; race++) {
        const logins = yield* Effect.all(Array.from({ length: 6 }, () => login))
        const answers = yield* Effect.all(
          [
            ...logins.map(({ refresh_token }) => Effect.exit(desks[0].refresh(refresh_token))),
            ...logins.map(({ refresh_token }) => Effect.exit(desks[1].logout(refresh_token))),
            ...logins.map(({ access_token }) =>
              Effect.exit(
                desks[0].change(user, SessionId.make(Number(access_token.split(":")[1])), password, password)
              )
            ),
            Effect.exit(
              transaction.run(
                Effect.flatMap(DateTime.now, (now) => sessions.revokeAll(user.user_id, null, now))
              )
            )
          ],
          { concurrency: "unbounded" }
        )
        assert.notInclude(tagsOf(answers), "fault")
        assert.isAtMost(yield* liveTokensOf(user.user_id), 1)
      }
    })
  )

  it.effect("the database refuses a second valid token", () =>
    Effect.gen(function* () {
      const { login, user } = yield* begin
      const sql = yield* SqlClient.SqlClient
      yield* login
      const second = yield* Effect.exit(sql`
        INSERT INTO refresh_tokens (token_hash, session_id, issued_at, expires_at)
        SELECT 'another', session_id, now(), now() FROM session_families WHERE user_id = ${user.user_id}`)
      assert.isTrue(Exit.isFailure(second))
    })
  )
})
