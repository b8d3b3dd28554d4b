/** Authenticating drivers by the token of an assignment (docs/api/driving.md). */
import { Context, Effect, Layer, Option, Redacted } from "effect"
import { isSuspended } from "../business/Business.ts"
import { businessOfToken } from "../kernel/security/BusinessToken.ts"
import { Cryptography } from "../kernel/security/Cryptography.ts"
import { AccountSuspended, Unauthorized } from "../kernel/Errors.ts"
import type { DriverTokenPrincipal } from "./Principal.ts"
import { DriverTokenRepository } from "./DriverTokenRepository.ts"
import type { AssignedDriver } from "./ActingDriver.ts"
import { reasonOfEnd } from "./EndedAssignment.ts"
import { traced } from "../kernel/TracedFunction.ts"

/**
 * - `driver`: the driver that a token belongs to. `Unauthorized` as soon as its assignment has ended; the error then says
 *   why.
 */
export class DriverTokens extends Context.Service<
  DriverTokens,
  {
    readonly driver: (
      principal: DriverTokenPrincipal
    ) => Effect.Effect<AssignedDriver, Unauthorized | AccountSuspended>
  }
>()("@livery/domain/DriverTokens") {
  static readonly layer = Layer.effect(
    DriverTokens,
    Effect.gen(function* () {
      const tokens = yield* DriverTokenRepository
      const cryptography = yield* Cryptography
      return DriverTokens.of({
        driver: traced("DriverTokens.driver")(function* ({ token }: DriverTokenPrincipal) {
          const text = Redacted.value(token)
          const businessId = businessOfToken("driver", text)
          if (Option.isNone(businessId)) return yield* new Unauthorized()
          const hash = yield* cryptography.sha256(text)
          const driver = yield* tokens.find(businessId.value, hash)
          if (Option.isNone(driver)) {
            const ended = yield* tokens.findEnded(businessId.value, hash)
            return yield* new Unauthorized(Option.isSome(ended) ? { reason: reasonOfEnd(ended.value) } : {})
          }
          if (isSuspended(driver.value.business)) return yield* new AccountSuspended()
          return driver.value
        })
      })
    })
  )
}
