/** The contract of `LinkedIdentityRepository`. */
import { LinkedIdentityRepository } from "@livery/domain"
import { assert } from "@effect/vitest"
import { Effect, Option } from "effect"
import { atOnce, contract, unique } from "./Contract.ts"
import { newUser, now } from "./Given.ts"

const issuer = "https://accounts.example"

export const linkedIdentityRepository = contract("an identity of a provider", (it) => {
  it.effect("belongs to the user that it was linked to", () =>
    Effect.gen(function* () {
      const identities = yield* LinkedIdentityRepository
      const userId = yield* newUser
      const subject = unique("subject")
      assert.deepStrictEqual(yield* identities.userOf({ issuer, subject }), Option.none())
      assert.isTrue(yield* identities.link({ issuer, subject, userId, at: now }))
      const user = Option.getOrThrow(yield* identities.userOf({ issuer, subject }))
      assert.deepInclude(user, { user_id: userId, email_verified: false })
      assert.deepStrictEqual(
        yield* identities.userOf({ issuer: "https://other.example", subject }),
        Option.none()
      )
    })
  )

  it.effect("is linked once, and is the user's only one of its issuer", () =>
    Effect.gen(function* () {
      const identities = yield* LinkedIdentityRepository
      const [userId, other] = [yield* newUser, yield* newUser]
      const subject = unique("subject")
      const linked = yield* atOnce(5, (index) =>
        identities.link({ issuer, subject, userId: index % 2 === 0 ? userId : other, at: now })
      )
      assert.lengthOf(linked.filter(Boolean), 1)
      const { user_id } = Option.getOrThrow(yield* identities.userOf({ issuer, subject }))
      const another = { subject: unique("subject"), userId: user_id, at: now }
      assert.isFalse(yield* identities.link({ issuer, ...another }))
      assert.isTrue(yield* identities.link({ issuer: "https://other.example", ...another }))
    })
  )
})
