import type { LoginResult } from "@livery/domain"
import { Effect, Exit, Redacted, Scope } from "effect"
import { afterAll, assert, beforeAll, describe, it, vi } from "vitest"
import { type Account, signUp } from "./support/Account.ts"
import { bearer, type Client, clientOf } from "./support/Client.ts"
import type { DatabaseProxy } from "./support/DatabaseProxy.ts"
import { type Installation, installation } from "./support/Installation.ts"
import type { Server } from "./support/Server.ts"
import { query } from "./support/DatabaseRows.ts"
import { setReadOnly, TestDatabase } from "./support/TestDatabase.ts"

vi.setConfig({ testTimeout: 120_000 })

let scope: Scope.Closeable
let proxy: DatabaseProxy
let place: Installation
let direct: Installation
let server: Server
let account: Account
beforeAll(async () => {
  scope = Scope.makeUnsafe()
  const database = await Effect.runPromise(Scope.provide(scope)(TestDatabase.proxied))
  proxy = database.proxy
  place = await installation({
    settings: {
      DATABASE_URL: Redacted.value(database.url),
      LIVERY_SECRET: "a secret of thirty-two characters"
    }
  })
  direct = { ...place, databaseUrl: Redacted.value(database.direct) }
  server = await place.serve()
  account = await signUp(place, server)
})
afterAll(async () => {
  await place.remove()
  await Effect.runPromise(Scope.close(scope, Exit.void))
})

const customersNamed = async (name: string) => {
  const rows = await query(direct, `select customer_id from customers where name = '${name}'`)
  return rows.length
}

/** Breaks the COMMIT of the transaction that inserts a customer, and calls back with it. */
const breakCommit = (passage: "cut" | "lose the answer", onBreak = () => {}) => {
  let isInserting = false
  proxy.passage = (statement) => {
    if (/^\s*INSERT INTO customers/u.test(statement)) isInserting = true
    if (!isInserting || statement !== "COMMIT") return "pass"
    proxy.passage = () => "pass"
    onBreak()
    return passage
  }
}

describe("a COMMIT whose response is lost", () => {
  it("is a success if it was carried out", async () => {
    breakCommit("lose the answer")
    const made = await account.client.post("/customers", { name: "Lost" })
    assert.strictEqual(made.status, 201, made.text)
    assert.strictEqual(await customersNamed("Lost"), 1)
  })

  it("is safe to try again if it was not carried out", async () => {
    breakCommit("cut")
    const made = await account.client.post("/customers", { name: "Cut" })
    assert.strictEqual(made.status, 500, made.text)
    assert.strictEqual(made.body.error?.type, "server_error")
    assert.include(made.body.error?.message, "it is safe to try again")
    assert.isNotNull(made.headers.get("retry-after"))
    assert.strictEqual(await customersNamed("Cut"), 0)
  })

  it("has an unknown outcome while no connection can tell it, and the message says so", async () => {
    breakCommit("lose the answer", () => {
      proxy.admits = false
    })
    const made = await account.client.post("/customers", { name: "Unknown" })
    proxy.admits = true
    assert.strictEqual(made.status, 500, made.text)
    assert.strictEqual(made.body.error?.type, "server_error")
    assert.include(made.body.error?.message, "unknown whether the change was saved")
    assert.include(made.body.error?.message, "Idempotency-Key")
    assert.notInclude(made.body.error?.message, "safe")
    assert.isNotNull(made.headers.get("retry-after"))
    assert.strictEqual(await customersNamed("Unknown"), 1)
  })
})

describe.each(["40001", "40P01"])("a request whose transaction ends with %s", (code) => {
  const table = `tries_${code.toLowerCase()}`
  const failing = (times: number) =>
    query(
      direct,
      `create or replace function ${table}() returns trigger language plpgsql as $$
       begin
         if nextval('${table}') <= ${times} then raise sqlstate '${code}'; end if;
         return new;
       end $$`
    )
  const tries = async () => {
    const [row] = await query(direct, `select last_value::int as tries from ${table}`)
    return row?.["tries"]
  }
  beforeAll(async () => {
    await query(direct, `create sequence ${table}`)
    await failing(3)
    await query(
      direct,
      `create trigger ${table} before insert on customers for each row execute function ${table}()`
    )
  })
  afterAll(async () => {
    await query(direct, `drop trigger ${table} on customers`)
  })

  it("succeeds at the third repetition", async () => {
    const made = await account.client.post("/customers", { name: `R${code}` })
    assert.strictEqual(made.status, 201, made.text)
    assert.strictEqual(await tries(), 4)
    assert.strictEqual(await customersNamed(`R${code}`), 1)
  })

  it("is 500 with Retry-After after three repetitions", async () => {
    await query(direct, `alter sequence ${table} restart`)
    await failing(100)
    const made = await account.client.post("/customers", { name: `F${code}` })
    assert.strictEqual(made.status, 500, made.text)
    assert.strictEqual(made.body.error?.type, "server_error")
    assert.include(made.body.error?.message, "it is safe to try again")
    assert.isNotNull(made.headers.get("retry-after"))
    assert.strictEqual(await tries(), 4)
    assert.strictEqual(await customersNamed(`F${code}`), 0)
  })
})

describe("the look-up of a credential whose connection breaks", () => {
  /** The statuses of 20 concurrent reads, of which the first look-up is cut. */
  const statusesOf = async (client: Client, lookUp: RegExp) => {
    let isCut = false
    proxy.passage = (statement) => {
      if (isCut || !lookUp.test(statement)) return "pass"
      isCut = true
      return "cut"
    }
    const answers = await Promise.all(Array.from({ length: 20 }, () => client.get("/customers")))
    proxy.passage = () => "pass"
    assert.isTrue(isCut)
    return new Set(answers.map(({ status }) => status))
  }

  it("fails none of the requests with an API key that wait for it", async () => {
    const made = await clientOf(server.api, bearer(account.accessToken)).post<{ readonly api_key: string }>(
      "/me/api-keys"
    )
    const client = clientOf(server.api, bearer(made.body.data.api_key))
    assert.deepStrictEqual([...(await statusesOf(client, /FROM api_keys k JOIN businesses b/u))], [200])
  })

  it("fails none of the requests of a person that wait for it", async () => {
    const { email, password } = account
    const loggedIn = await clientOf(server.api).post<LoginResult>("/auth/login", { email, password })
    const session = clientOf(server.api, bearer(loggedIn.body.data.access_token))
    assert.deepStrictEqual([...(await statusesOf(session, /FROM session_families s JOIN users u/u))], [200])
  })
})

describe("when the server ends all sessions of a node under traffic", () => {
  const write = () => account.client.post("/customers", { name: "Terminated" })
  const terminate = () =>
    query(
      direct,
      "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name = 'livery'"
    )

  it("at most one request fails for each session, safely, and all succeed afterwards", async () => {
    const statuses: Array<number> = []
    const traffic = new AbortController()
    const client = async () => {
      while (!traffic.signal.aborted) {
        const made = await write()
        statuses.push(made.status)
        if (made.status !== 201) {
          assert.strictEqual(made.status, 500, made.text)
          assert.strictEqual(made.body.error?.type, "server_error")
          assert.isNotNull(made.headers.get("retry-after"))
        }
      }
    }
    const clients = Array.from({ length: 20 }, client)
    let sessions = 0
    for (let round = 1; round <= 5; round += 1) {
      const before = statuses.length
      await vi.waitUntil(() => statuses.length >= before + 40, { timeout: 60_000, interval: 5 })
      sessions += (await terminate()).length
    }
    traffic.abort()
    await Promise.all(clients)
    const failed = statuses.filter((status) => status !== 201).length
    assert.isAtLeast(sessions, 5)
    assert.isAtMost(failed, sessions, "at most the first request on each ended session")
    for (const { status, text } of await Promise.all(Array.from({ length: 40 }, write)))
      assert.strictEqual(status, 201, text)
    assert.strictEqual((await clientOf(server.address).get("/health/ready")).status, 200)
  })
})

describe("while the database takes no writes", () => {
  const readOnly = (value: "on" | "off") => Effect.runPromise(setReadOnly(direct.databaseUrl ?? "", value))
  const write = () => account.client.post("/customers", { name: "Written" })

  it("a read by API key succeeds, a write is 500 with Retry-After, and both succeed once it takes writes", async () => {
    // A key that was never used, so that its use is not recorded yet.
    const made = await clientOf(server.api, bearer(account.accessToken)).post<{ readonly api_key: string }>(
      "/me/api-keys"
    )
    const unused = clientOf(server.api, bearer(made.body.data.api_key))
    await readOnly("on")
    // Sessions that were opened before still take writes.
    proxy.cutAll()
    await vi.waitFor(
      async () => assert.strictEqual((await clientOf(server.address).get("/health/ready")).status, 503),
      { timeout: 60_000, interval: 20 }
    )
    const read = await unused.get("/customers")
    assert.strictEqual(read.status, 200, read.text)
    const refused = await write()
    assert.strictEqual(refused.status, 500, refused.text)
    assert.include(refused.body.error?.message, "The database takes no writes at the moment")
    assert.isNotNull(refused.headers.get("retry-after"))

    await readOnly("off")
    // No connection is cut: the server itself drops those of the time before.
    await vi.waitFor(async () => assert.strictEqual((await write()).status, 201), {
      timeout: 60_000,
      interval: 20
    })
    const answers = await Promise.all(Array.from({ length: 40 }, write))
    const refusedLater = answers.filter(({ status }) => status !== 201).length
    assert.isAtMost(refusedLater, 10, "at most one for each session of the pool")
    assert.strictEqual((await write()).status, 201)
    assert.strictEqual((await clientOf(server.address).get("/health/ready")).status, 200)
  })
})
