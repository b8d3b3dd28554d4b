import { Effect, Exit, Redacted, Scope } from "effect"
import { afterEach, assert, beforeEach, it, vi } from "vitest"
import { signUp, trip } from "./support/Account.ts"
import type { DatabaseProxy } from "./support/DatabaseProxy.ts"
import { type Installation, installation } from "./support/Installation.ts"
import { TestDatabase } from "./support/TestDatabase.ts"

let scope: Scope.Closeable
let proxy: DatabaseProxy
let place: Installation
beforeEach(async () => {
  scope = Scope.makeUnsafe()
  const database = await Effect.runPromise(Scope.provide(scope)(TestDatabase.proxied))
  proxy = database.proxy
  const settings = {
    DATABASE_URL: Redacted.value(database.url),
    LIVERY_SECRET: "a secret of thirty-two characters"
  }
  place = await installation({ settings })
})
afterEach(async () => {
  await place.remove()
  await Effect.runPromise(Scope.close(scope, Exit.void))
})

it("a stop while the database hangs ends at its bound, with 1 and one line, and no change is acknowledged", async () => {
  const server = await place.serve([], { SHUTDOWN_GRACE: "0" })
  const account = await signUp(place, server)
  proxy.cancels = false
  proxy.passage = () => "hold"
  const booked = account.client.post("/trips", trip("Ada")).then(
    ({ status }) => status,
    () => "cut"
  )
  await vi.waitUntil(() => proxy.held() > 0, { timeout: 60_000, interval: 5 })
  const { code, signal, stderr } = await server.stop()
  assert.deepStrictEqual([code, signal], [1, null], stderr)
  assert.lengthOf(stderr.match(/^The stop took too long, so the process ends [^\n]+$/gmu) ?? [], 1)
  assert.oneOf(await booked, [500, 503, "cut"])
})
