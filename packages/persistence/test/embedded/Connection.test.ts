import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber, Redacted } from "effect"
import { databaseProxy } from "../../../../test/support/DatabaseProxy.ts"
import * as Connection from "../../src/embedded/Connection.ts"
import { eventually, openFast, query, testDirectory } from "./TestDirectory.ts"
import { dataOf } from "../../src/embedded/DataDirectory.ts"

const proxied = Effect.gen(function* () {
  const directory = yield* testDirectory
  const { url } = yield* openFast({ directory })
  const proxy = yield* Effect.acquireRelease(
    Effect.promise(() => databaseProxy(Redacted.value(url))),
    ({ close }) => Effect.promise(close)
  )
  const postmaster = {
    pid: 0,
    port: Number(new URL(proxy.url).searchParams.get("port")),
    socketDirectory: "",
    ready: true
  }
  return { proxy, url, open: Connection.openHolder(dataOf(directory), postmaster) }
})

/** Runs until only one holder is left, the one of the open directory. */
const untilOneHolder = (url: Redacted.Redacted) =>
  Effect.repeat(
    query(
      url,
      "select count(*)::int as n from pg_stat_activity where application_name like 'livery holder %'"
    ),
    { until: ([row]) => row?.["n"] === 1 }
  )

describe("the connection that counts a process as a user of the cluster", () => {
  it.live("is closed if its opening is interrupted while the server answers", () =>
    Effect.gen(function* () {
      const { open, proxy, url } = yield* proxied
      const asked = yield* Deferred.make<void>()
      proxy.passage = (statement) => {
        if (statement === "show data_directory") Deferred.doneUnsafe(asked, Effect.void)
        return "pass"
      }
      const opening = yield* Effect.forkChild(open)
      yield* Deferred.await(asked)
      yield* Fiber.interrupt(opening)
      yield* eventually("the connection is closed", () => proxy.open() === 0)
      yield* untilOneHolder(url)
    })
  )

  it.live("is closed if its opening is interrupted before the server has accepted it", () =>
    Effect.gen(function* () {
      const { open, proxy, url } = yield* proxied
      proxy.passage = () => "hold"
      const opening = yield* Effect.forkChild(open)
      yield* eventually("the connection is open", () => proxy.open() === 1)
      yield* Fiber.interrupt(opening)
      yield* eventually("the connection is closed", () => proxy.open() === 0)
      yield* untilOneHolder(url)
    })
  )

  it.live("stays open if its opening succeeds", () =>
    Effect.gen(function* () {
      const { open, proxy, url } = yield* proxied
      const holder = yield* open
      assert.strictEqual(proxy.open(), 1)
      yield* Connection.closeHolder(holder)
      yield* untilOneHolder(url)
    })
  )
})
