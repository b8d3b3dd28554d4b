import { assert, it } from "@effect/vitest"
import { BusinessId, Cryptography } from "@livery/domain"
import { Effect, Option, Schema } from "effect"
import { businessOfCode, newInvitationCode } from "../../src/fleet/invitations/DriverInvitation.ts"

it.effect.prop(
  "an invitation's code names its business, however it is typed",
  { businessId: BusinessId },
  ({ businessId }) =>
    Effect.gen(function* () {
      const code = yield* newInvitationCode(businessId)
      for (const typed of [
        code,
        code.toLowerCase(),
        ` ${code.replaceAll("-", " ")} `,
        code.replaceAll("0", "o").replaceAll("1", "l")
      ])
        assert.deepStrictEqual(businessOfCode(typed), Option.some(businessId), typed)
    }).pipe(Effect.provide(Cryptography.layerWebCrypto))
)

it.effect.prop(
  "a code without a business names none",
  { typed: Schema.String.check(Schema.isMaxLength(16)) },
  ({ typed }) => Effect.sync(() => assert.isTrue(Option.isNone(businessOfCode(typed))))
)
