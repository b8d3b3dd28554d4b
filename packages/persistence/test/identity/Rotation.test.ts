import { BusinessRepository, type SessionId, type UserId } from "@livery/domain"
import { assert, layer } from "@effect/vitest"
import { Clock, Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { TestPersistence, newBusiness } from "../support/TestPersistence.ts"
import { identityNode, newPerson, isActive } from "../support/IdentityNode.ts"

const day = 24 * 3600

/** A command. `who` is the index of its session (of its user for a sign-in), `back` the age of its token. */
const Step = Schema.Struct({
  act: Schema.Literals([
    "login",
    "refresh",
    "refresh on",
    "replay",
    "logout",
    "logout by access token",
    "change password",
    "suspend or activate",
    "pass time"
  ]),
  who: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 5 })),
  back: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 3 })),
  seconds: Schema.Literals([1, 5, 9, 60, 20 * day, 30 * day, 100 * day])
})
type Step = typeof Step.Type

interface ModelToken {
  readonly text: string
  readonly issuedAt: number
  rotatedAt: number
}

/** A session of the model: its tokens in the order of their issue. The last one is valid. */
interface ModelSession {
  readonly person: number
  readonly sessionId: SessionId
  readonly accessToken: string
  readonly begun: number
  readonly tokens: Array<ModelToken>
  revoked: boolean
}

/** The session ended long ago, and a sign-in may have deleted it. The model predicts nothing about it. */
const isForgotten = (session: ModelSession, now: number) => now >= session.begun + 187 * day

const isOver = (session: ModelSession, now: number) => session.revoked || now >= session.begun + 180 * day

/** The expected result of a refresh: a new token, the same successor, or a refusal. A reuse ends the session. */
const expected = (session: ModelSession, at: number, now: number, grace: number) => {
  const token = session.tokens[at]
  if (token === undefined || isOver(session, now)) return "refused"
  const live = session.tokens.length - 1
  if (at === live) return now < token.issuedAt + 30 * day ? "new" : "refused"
  if (at === live - 1 && now < token.rotatedAt + grace) return "same"
  session.revoked = true
  return "refused"
}

const businessOf = Effect.fnUntraced(function* (userId: UserId) {
  const businesses = yield* BusinessRepository
  const businessId = yield* newBusiness()
  yield* businesses.addMember(businessId, userId, "owner")
  return businessId
})

/** Runs the steps on the real system and on the model, and compares them. */
const walk = Effect.fnUntraced(function* (steps: ReadonlyArray<Step>, grace: number) {
  const desk = yield* identityNode(grace)
  const people = yield* Effect.all([newPerson, newPerson])
  const businesses = yield* Effect.forEach(people, ({ user }) => businessOf(user.user_id))
  const suspended = new Set<number>()
  const passwords = people.map(({ password }) => password)
  const sessions: Array<ModelSession> = []
  const seconds = Effect.map(Clock.currentTimeMillis, (now) => now / 1000)
  const tokenOf = ({ tokens }: ModelSession, back: number) => tokens.at(-1 - back)?.text ?? "lvr_unknown"

  const login = Effect.fnUntraced(function* (who: number) {
    const person = who % people.length
    const email = people[person]?.user.email ?? ""
    const { access_token, refresh_token } = yield* desk.login(email, passwords[person] ?? "")
    const now = yield* seconds
    sessions.push({
      person,
      sessionId: Number(access_token.split(":")[1]) as SessionId,
      accessToken: access_token,
      begun: now,
      tokens: [{ text: refresh_token, issuedAt: now, rotatedAt: Number.NaN }],
      revoked: false
    })
  })

  const refresh = Effect.fnUntraced(function* (session: ModelSession, back: number) {
    const now = yield* seconds
    const at = session.tokens.length - 1 - back
    const verdict = expected(session, at, now, grace)
    const answer = yield* Effect.option(desk.refresh(tokenOf(session, back)))
    if (verdict === "refused") return assert.strictEqual(answer._tag, "None")
    assert.strictEqual(answer._tag, "Some", verdict)
    const given = answer._tag === "Some" ? answer.value.refresh_token : ""
    if (verdict === "same") return assert.strictEqual(given, session.tokens.at(-1)?.text)
    assert.notInclude(
      sessions.flatMap(({ tokens }) => tokens.map(({ text }) => text)),
      given
    )
    const last = session.tokens.at(-1)
    if (last !== undefined) last.rotatedAt = now
    return session.tokens.push({ text: given, issuedAt: now, rotatedAt: Number.NaN })
  })

  const changePassword = Effect.fnUntraced(function* (session: ModelSession) {
    const user = people[session.person]?.user
    if (user === undefined) return
    const now = yield* seconds
    const next = `password ${now} ${session.sessionId}`
    const changed = yield* Effect.option(
      desk.change(user, session.sessionId, passwords[session.person] ?? "", next)
    )
    assert.strictEqual(changed._tag === "Some", !session.revoked)
    if (session.revoked) return
    passwords[session.person] = next
    for (const other of sessions)
      if (other.person === session.person && other !== session) other.revoked = true
  })

  const logout = Effect.fnUntraced(function* (session: ModelSession, back: number) {
    const known = session.tokens.length > back
    const { logged_out } = yield* desk.logout(tokenOf(session, back))
    assert.strictEqual(logged_out, known && !session.revoked)
    if (known) session.revoked = true
  })

  const logoutByAccessToken = Effect.fnUntraced(function* (session: ModelSession) {
    const over = isOver(session, yield* seconds)
    assert.strictEqual(yield* desk.logoutBy(session.accessToken), !over)
    session.revoked = true
  })

  const suspendOrActivate = Effect.fnUntraced(function* ({ person }: ModelSession) {
    if (!suspended.delete(person)) suspended.add(person)
    yield* setStatus(businesses[person] ?? 0, suspended.has(person) ? "D" : "A")
    yield* desk.invalidateAll
  })

  /** The results of requests with an access token. */
  const expectedOf = (session: ModelSession, now: number) => {
    if (isOver(session, now)) return ["Unauthorized", "Unauthorized"]
    return ["ok", suspended.has(session.person) ? "AccountSuspended" : "ok"]
  }

  for (const { act, back, seconds: pause, who } of steps) {
    const session = sessions[who % Math.max(1, sessions.length)]
    const forgotten = session !== undefined && isForgotten(session, yield* seconds)
    if (act === "pass time") yield* TestClock.adjust(pause * 1000)
    else if (act === "login" || session === undefined) yield* login(who)
    else if (act === "refresh" || act === "refresh on") yield* refresh(session, 0)
    else if (act === "replay") yield* refresh(session, back)
    else if (act === "logout") yield* forgotten ? Effect.void : logout(session, back - 1)
    else if (act === "change password") yield* forgotten ? Effect.void : changePassword(session)
    else if (act === "suspend or activate") yield* suspendOrActivate(session)
    else yield* logoutByAccessToken(session)
    const now = yield* seconds
    for (const each of sessions) {
      assert.strictEqual(yield* isActive(each.sessionId), !isOver(each, now), `after ${act}`)
      assert.deepStrictEqual(
        [yield* desk.admits(each.accessToken), yield* desk.acts(each.accessToken)],
        expectedOf(each, now),
        `after ${act}`
      )
    }
  }
  return sessions
})

const setStatus = Effect.fnUntraced(function* (businessId: number, status: "A" | "D") {
  const sql = yield* SqlClient.SqlClient
  yield* sql`UPDATE businesses SET status = ${status} WHERE business_id = ${businessId}`
})

const liveTokens = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  return yield* sql<{ session_id: number }>`
    SELECT session_id FROM refresh_tokens WHERE rotated_at IS NULL GROUP BY session_id HAVING count(*) > 1`
})

const runs = Number(process.env["LIVERY_TEST_ROTATIONS"] ?? 40)

layer(TestPersistence, { timeout: 60_000 })("random sequences of session operations", (it) => {
  for (const grace of [0, 10])
    it.effect.prop(
      `have the outcome of the model, with a grace period of ${grace} s`,
      { steps: Schema.Array(Step).check(Schema.isMaxLength(40)) },
      ({ steps }) =>
        Effect.gen(function* () {
          yield* walk(steps, grace)
          assert.deepStrictEqual(yield* liveTokens, [])
        }),
      { arbitrary: { runs }, timeout: 120_000 }
    )

  it.effect("reach a deleted session", () =>
    Effect.gen(function* () {
      // Sessions of other sequences are older, and would be deleted first.
      const sql = yield* SqlClient.SqlClient
      yield* sql`DELETE FROM session_families`
      const acts = [
        "login",
        "pass time",
        "pass time",
        "login",
        "logout",
        "refresh",
        "change password"
      ] as const
      yield* walk(
        acts.map((act): Step => ({ act, who: 0, back: 1, seconds: 100 * day })),
        0
      )
    })
  )

  it.effect("reach a reuse that ends a session, as the model predicts", () =>
    Effect.gen(function* () {
      const step = (act: Step["act"], who = 0, back = 1): Step => ({ act, who, back, seconds: 5 })
      const sessions = yield* walk(
        [
          step("login"),
          step("login"),
          step("suspend or activate"),
          step("refresh"),
          step("refresh"),
          step("replay", 0, 2),
          step("logout by access token"),
          step("refresh", 1),
          step("change password", 1)
        ],
        0
      )
      assert.deepStrictEqual(
        sessions.map(({ revoked }) => revoked),
        [true, false]
      )
    })
  )
})
