import { assert, it } from "@effect/vitest"
import { BusinessId, BusinessRepository } from "@livery/domain"
import { Memory } from "@livery/memory"
import { Effect, Option, Schema } from "effect"
import { makeInvitationCodes } from "../../src/fleet/invitations/DriverInvitation.ts"

it.effect("an invitation's code names its business, however it is typed, and does not show its number", () =>
  Effect.gen(function* () {
    const businesses = yield* BusinessRepository
    const { businessOfCode, newInvitationCode } = yield* makeInvitationCodes
    for (let number = 1; number <= 40; number += 1) {
      const business = { name: "Ada Cars", email: "ada@example.com", planId: 1, websiteUrl: null }
      const businessId = Option.getOrThrow(yield* businesses.insert({ ...business, slug: `ada-${number}` }))
      const code = yield* newInvitationCode(businessId)
      assert.match(code, /^B[0-9A-F]{11}(?:-[0-9A-Z]{4}){4}$/u)
      for (const typed of [
        code,
        code.toLowerCase(),
        ` ${code.replaceAll("-", " ")} `,
        code.replaceAll("0", "o").replaceAll("1", "l")
      ])
        assert.deepStrictEqual(yield* businessOfCode(typed), Option.some(businessId), typed)
    }
  }).pipe(Effect.provide(Memory.layer))
)

it.effect("a code from before there were link keys names the business of the id that it begins with", () =>
  Effect.gen(function* () {
    const { businessOfCode } = yield* makeInvitationCodes
    assert.deepStrictEqual(yield* businessOfCode("1A-7KQ2-7KQ2-7KQ2-7KQ2"), Option.some(BusinessId.make(42)))
  }).pipe(Effect.provide(Memory.layer))
)

it.effect.prop(
  "a code without a business names none",
  { typed: Schema.String.check(Schema.isMaxLength(16)) },
  ({ typed }) =>
    Effect.gen(function* () {
      const { businessOfCode } = yield* makeInvitationCodes
      assert.isTrue(Option.isNone(yield* businessOfCode(typed)))
    }).pipe(Effect.provide(Memory.layer))
)
