import { ApiKeyRepository, SessionId, SessionRepository } from "@livery/domain"
import { assert, it } from "@effect/vitest"
import { DateTime, Effect, Layer, Option } from "effect"
import { TestDatabase } from "../../../../test/support/TestDatabase.ts"
import * as ApiKeyRepositoryPg from "../../src/identity/ApiKeyRepositoryPg.ts"
import * as SessionRepositoryPg from "../../src/identity/SessionRepositoryPg.ts"
import { layer as pgLayer } from "../../src/sql/connections/PgClient.ts"

it.live("the reads of credentials, which many callers wait for, survive the end of their connection", () =>
  Effect.gen(function* () {
    const { proxy, url } = yield* TestDatabase.proxied
    const Repositories = Layer.mergeAll(ApiKeyRepositoryPg.layer, SessionRepositoryPg.layer)
    const context = yield* Layer.build(Layer.provide(Repositories, pgLayer({ url })))
    const { keys, sessions } = yield* Effect.provide(
      Effect.all({ keys: ApiKeyRepository, sessions: SessionRepository }),
      context
    )
    const sessionId = SessionId.make(1)
    const now = yield* DateTime.now
    const reads: ReadonlyArray<Effect.Effect<Option.Option<unknown> | ReadonlyArray<unknown>>> = [
      keys.businessOf("unknown"),
      keys.businessesOf(["unknown", "unknown too"]),
      sessions.findActive(sessionId, now),
      sessions.findAllActive([sessionId], now)
    ]
    for (const read of reads) {
      let cuts = 0
      proxy.passage = (statement) => {
        if (cuts > 0 || !/FROM (?:api_keys|session_families)/u.test(statement)) return "pass"
        cuts += 1
        return "cut"
      }
      const found = yield* read
      assert.isTrue(
        Array.isArray(found) ? found.length === 0 : Option.isNone(found as Option.Option<unknown>)
      )
      assert.strictEqual(cuts, 1)
    }
  }).pipe(Effect.scoped)
)
