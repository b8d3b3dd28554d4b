/** Authenticating drivers by the token of an assignment (docs/api/driving.md). */
import { Context, Effect, Layer, Option, Redacted } from "effect"
import { requireActive } from "../../business/Business.ts"
import { makeBusinessTokens } from "../../business/BusinessTokens.ts"
import { Cryptography } from "../../kernel/security/Cryptography.ts"
import { makeOldestFirstCache } from "../../kernel/OldestFirstCache.ts"
import { Unauthorized } from "../../kernel/Errors.ts"
import type { DriverTokenPrincipal } from "../credentials/Principal.ts"
import { DriverTokenRepository } from "./DriverTokenRepository.ts"
import type { AssignedDriver } from "../users/ActingDriver.ts"
import { reasonOfEnd } from "./EndedAssignment.ts"
import { traced } from "../../kernel/TracedFunction.ts"

/** How many tokens are remembered with their drivers. */
const rememberedTokens = 10_000

export class DriverTokens extends Context.Service<DriverTokens>()("@livery/domain/DriverTokens", {
  make: Effect.gen(function* () {
    const tokens = yield* DriverTokenRepository
    const cryptography = yield* Cryptography
    const { businessOfToken } = yield* makeBusinessTokens
    const drivers = makeOldestFirstCache<AssignedDriver>(rememberedTokens)

    return {
      /**
       * The driver that `driver` last returned for a token; `undefined` if it does not remember one. The token may
       * have expired since, and the business's record may have changed: only a write that requires `token_hash`, or
       * `driver`, tells whether the token is still valid.
       */
      remembered: drivers.get,

      /**
       * The driver that a token belongs to. `Unauthorized` as soon as its assignment has ended; the error then says
       * why.
       */
      driver: traced("DriverTokens.driver")(function* ({ token }: DriverTokenPrincipal) {
        const text = Redacted.value(token)
        drivers.delete(text)
        const businessId = yield* businessOfToken("driver", text)
        if (Option.isNone(businessId)) return yield* new Unauthorized()
        const hash = yield* cryptography.sha256(text)
        const driver = yield* tokens.find(businessId.value, hash)
        if (Option.isNone(driver)) {
          const ended = yield* tokens.findEnded(businessId.value, hash)
          return yield* new Unauthorized(Option.isSome(ended) ? { reason: reasonOfEnd(ended.value) } : {})
        }
        yield* requireActive(driver.value.business)
        drivers.set(text, driver.value)
        return driver.value
      })
    }
  })
}) {
  static readonly layer = Layer.effect(DriverTokens, DriverTokens.make)
}
