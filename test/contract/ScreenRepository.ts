/** The contract of `ScreenRepository`. */
import { maxViewsPerUser, type Preferences, ScreenRepository, Transaction } from "@livery/domain"
import { assert } from "@effect/vitest"
import { DateTime, Effect, Option } from "effect"
import { contract } from "./Contract.ts"
import { newUser, now } from "./Given.ts"

const view = (name: string, screen = "trips") => ({ name, screen, query: "status=confirmed" })

export const screenRepository = contract("the screens of a user", (it) => {
  it.effect("keeps views by screen and name, which only their user sees and changes", () =>
    Effect.gen(function* () {
      const screens = yield* ScreenRepository
      const [user, other] = [yield* newUser, yield* newUser]
      const later = DateTime.add(now, { seconds: 1 })
      const add = (name: string, screen?: string) =>
        Effect.map(screens.insertView(user, view(name, screen), now), Option.getOrThrow)
      const [late, early, board] = [yield* add("b"), yield* add("B"), yield* add("z", "board")]
      assert.deepStrictEqual(early, {
        ...view("B"),
        view_id: early.view_id,
        created_at: now,
        updated_at: now
      })
      assert.deepStrictEqual(yield* screens.views(user), [board, early, late])
      assert.deepStrictEqual(yield* screens.views(other), [])
      const changed = { ...late, query: "page=2", updated_at: later }
      assert.deepStrictEqual(
        yield* screens.changeView(user, late.view_id, { query: "page=2" }, later),
        Option.some(changed)
      )
      assert.isTrue(Option.isNone(yield* screens.changeView(other, late.view_id, { name: "mine" }, later)))
      assert.isFalse(yield* screens.removeView(other, late.view_id))
      assert.isTrue(yield* screens.removeView(user, early.view_id))
      assert.isFalse(yield* screens.removeView(user, early.view_id))
      assert.deepStrictEqual(yield* screens.views(user), [board, changed])
    })
  )

  it.effect("keeps 100 views of a user at most, also for concurrent requests", () =>
    Effect.gen(function* () {
      const screens = yield* ScreenRepository
      const transaction = yield* Transaction
      const user = yield* newUser
      const add = transaction.run(screens.insertView(user, view("one"), now))
      for (let count = 0; count < maxViewsPerUser - 2; count++) yield* add
      const last = yield* Effect.all([add, add, add, add, add], { concurrency: 5 })
      assert.strictEqual(last.filter(Option.isSome).length, 2)
      assert.strictEqual((yield* screens.views(user)).length, maxViewsPerUser)
    })
  )

  it.effect("keeps the preferences of a user as they were written last", () =>
    Effect.gen(function* () {
      const screens = yield* ScreenRepository
      const [user, other] = [yield* newUser, yield* newUser]
      const preferences: Preferences = {
        language: "de",
        theme: "dark",
        board: { zoom: 4, b: [1, null], a: "x" }
      }
      assert.isTrue(Option.isNone(yield* screens.preferences(user)))
      yield* screens.setPreferences(user, preferences, now)
      assert.deepStrictEqual(yield* screens.preferences(user), Option.some(preferences))
      const after: Preferences = { language: null, theme: "system", board: {} }
      yield* screens.setPreferences(user, after, now)
      assert.deepStrictEqual(yield* screens.lockPreferences(user), Option.some(after))
      assert.isTrue(Option.isNone(yield* screens.preferences(other)))
    })
  )
})
