import type { LoginResult, LogoutResult, RefreshResult } from "@livery/domain"
import { afterAll, assert, beforeAll, describe, it, vi } from "vitest"
import { type Account, signUp } from "./support/Account.ts"
import { type Answer, bearer, type Client, clientOf } from "./support/Client.ts"
import { type Installation, installation } from "./support/Installation.ts"
import type { Server } from "./support/Server.ts"

const rounds = Number(process.env["LIVERY_TEST_REFRESH_ROUNDS"] ?? 10)
const races = Number(process.env["LIVERY_TEST_SESSION_RACES"] ?? 20)

const statusesOf = (answers: ReadonlyArray<Answer>) => answers.map(({ status }) => status)

const times = <A>(count: number, make: (index: number) => A): ReadonlyArray<A> =>
  Array.from({ length: count }, (_, index) => make(index))

describe("two servers that share a database", () => {
  let place: Installation
  let servers: readonly [Server, Server]
  let nodes: readonly [Client, Client]
  let account: Account
  let password: string
  beforeAll(async () => {
    place = await installation()
    servers = [await place.serve(), await place.serve()]
    nodes = [clientOf(servers[0].api), clientOf(servers[1].api)]
    account = await signUp(place, servers[0])
    password = account.password
  })
  afterAll(() => place.remove())

  const node = (index: number) => (index % 2 === 0 ? nodes[0] : nodes[1])
  const server = (index: number) => (index % 2 === 0 ? servers[0] : servers[1])

  const login = async (at = 0) => {
    const answer = await node(at).post<LoginResult>("/auth/login", { email: account.email, password })
    assert.strictEqual(answer.status, 200, answer.text)
    return answer.body.data
  }
  const refresh = (at: number, refresh_token: string) =>
    node(at).post<RefreshResult>("/auth/refresh", { refresh_token })
  const admitted = async (at: number, accessToken: string) =>
    (await clientOf(server(at).api, bearer(accessToken)).get("/me")).status

  it("give a successor to at most one of 50 refreshes with one token, and never a fault", async () => {
    for (const round of times(rounds, (index) => index)) {
      const { refresh_token } = await login(round)
      const answers = await Promise.all(times(50, (index) => refresh(index, refresh_token)))
      const statuses = statusesOf(answers)
      assert.lengthOf(
        statuses.filter((status) => status === 200),
        1
      )
      assert.lengthOf(
        statuses.filter((status) => status === 401),
        49
      )
      // The replays ended the family, so the one successor is dead, too.
      const successor = answers.find(({ status }) => status === 200)?.body.data.refresh_token ?? ""
      assert.strictEqual((await refresh(round + 1, successor)).status, 401)
    }
  }, 600_000)

  it("refuse every token of a session after a logout has returned, whatever is being refreshed", async () => {
    for (const race of times(races, (index) => index)) {
      const { access_token, refresh_token } = await login(race)
      const [refreshed, loggedOut] = await Promise.all([
        refresh(race, refresh_token),
        node(race + 1).post<LogoutResult>("/auth/logout", { refresh_token })
      ])
      assert.deepStrictEqual(loggedOut.body.data, { logged_out: true })
      assert.oneOf(refreshed.status, [200, 401])
      const tokens = [refresh_token, ...(refreshed.status === 200 ? [refreshed.body.data.refresh_token] : [])]
      for (const token of tokens) assert.strictEqual((await refresh(race, token)).status, 401)
      assert.strictEqual(await admitted(race + 1, access_token), 401)
    }
  }, 600_000)

  it("refuse every other session after a password change has returned", async () => {
    for (const race of times(races, (index) => index)) {
      const [mine, other] = [await login(race), await login(race + 1)]
      const next = `a new password ${race}`
      const [changed, refreshed] = await Promise.all([
        clientOf(server(race).api, bearer(mine.access_token)).post("/me/password", {
          current_password: password,
          new_password: next
        }),
        refresh(race + 1, other.refresh_token)
      ])
      assert.strictEqual(changed.status, 200, changed.text)
      password = next
      assert.oneOf(refreshed.status, [200, 401])
      const token = refreshed.status === 200 ? refreshed.body.data.refresh_token : other.refresh_token
      assert.strictEqual((await refresh(race, token)).status, 401)
      assert.strictEqual((await refresh(race + 1, mine.refresh_token)).status, 200)
    }
  }, 600_000)

  // The tests of the credential cache check by their own clock that it takes a second at most.
  it("both refuse an ended session, the one that ended it at once", async () => {
    const { access_token, refresh_token } = await login()
    assert.deepStrictEqual([await admitted(0, access_token), await admitted(1, access_token)], [200, 200])
    const answered = await nodes[0].post("/auth/logout", { refresh_token })
    assert.strictEqual(answered.status, 200)
    assert.strictEqual(await admitted(0, access_token), 401)
    await vi.waitFor(async () => assert.strictEqual(await admitted(1, access_token), 401), {
      timeout: 60_000,
      interval: 20
    })
  })
})
