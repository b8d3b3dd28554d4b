import { assert, describe, it } from "@effect/vitest"
import { maxFollowers } from "@livery/domain"
import { Effect, Redacted } from "effect"
import { followedTrips, linkToken, place } from "./FollowedTrips.ts"

describe("following by a link", () => {
  it.effect("ends once the link is removed or replaced, or the business is suspended", () =>
    Effect.gen(function* () {
      const { notify, followLink, set, setBusinessStatus, sha256 } = yield* followedTrips
      const ends: ReadonlyArray<() => unknown> = [
        () => set(5, { link_hash: null }),
        () => set(5, { link_hash: "another" }),
        () => setBusinessStatus("D")
      ]
      for (const end of ends) {
        set(5, { link_hash: yield* sha256(linkToken("a")) })
        const reader = yield* followLink(linkToken("a"))
        set(5, { position: place(1) })
        yield* notify(5)
        assert.isFalse(reader.isOver())
        end()
        set(5, { position: place(2) })
        yield* notify(5)
        assert.isTrue(reader.isOver())
        assert.notInclude(reader.news, "position 2")
        set(5, { position: null })
      }
    })
  )

  it.effect("continues when the link was made while others follow the trip", () =>
    Effect.gen(function* () {
      const { follow, followLink, notify, set, sha256 } = yield* followedTrips
      set(5)
      yield* follow(5)
      set(5, { link_hash: yield* sha256(linkToken("a")) })
      const reader = yield* followLink(linkToken("a"))
      assert.deepStrictEqual(reader.news, ["status confirmed"])
      set(5, { position: place(1) })
      yield* notify(5)
      assert.deepStrictEqual(reader.news, ["status confirmed", "position 1"])
      assert.isFalse(reader.isOver())
    })
  )

  it.effect("needs a valid token of a trip that is open or has just ended", () =>
    Effect.gen(function* () {
      const { set, setBusinessStatus, sha256, watch } = yield* followedTrips
      const link_hash = yield* sha256(linkToken("a"))
      const tagOf = (token: string) =>
        Effect.scoped(
          Effect.match(watch.followLink(Redacted.make(token)), {
            onSuccess: () => "ok",
            onFailure: ({ _tag }) => _tag
          })
        )
      set(5, { link_hash })
      assert.strictEqual(yield* tagOf(linkToken("a")), "ok")
      assert.strictEqual(yield* tagOf(linkToken("b")), "NotFound")
      const ends: ReadonlyArray<() => unknown> = [
        () => set(5, { status: "completed" }),
        () => set(5, { status: "cancelled" }),
        () => set(5, { status: "confirmed", deleted: true }),
        () => {
          set(5, { deleted: false })
          setBusinessStatus("D")
        }
      ]
      for (const end of ends) {
        end()
        assert.strictEqual(yield* tagOf(linkToken("a")), "NotFound")
      }
      setBusinessStatus("A")
      assert.strictEqual(yield* tagOf(linkToken("a")), "ok")
    })
  )

  it.effect("has its own limit for each link, apart from the limit of the business's users", () =>
    Effect.gen(function* () {
      const { follow, followLink, set, sha256, watch } = yield* followedTrips
      set(5, { link_hash: yield* sha256(linkToken("a")) })
      yield* Effect.forEach(Array.from({ length: maxFollowers.link }), () => followLink(linkToken("a")))
      const refused = yield* Effect.flip(Effect.scoped(watch.followLink(Redacted.make(linkToken("a")))))
      assert.strictEqual(refused._tag, "TooManyRequests")
      yield* follow(5)
    })
  )
})
