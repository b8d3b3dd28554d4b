import { assert, it } from "@effect/vitest"
import { Effect, Exit, Schema } from "effect"
import { BusinessProfileChanges } from "../../src/settings/BusinessProfile.ts"

const decoded = (accent_color: string | null) =>
  Effect.exit(Schema.decodeEffect(BusinessProfileChanges)({ accent_color }))

it.effect("the accent colour of a business is one on which white text can be read", () =>
  Effect.gen(function* () {
    for (const color of ["#0B5D4E", "#1f4fd8", " #767676 ", "#000000"])
      assert.deepStrictEqual(
        yield* decoded(color),
        Exit.succeed({ accent_color: color.trim().toUpperCase() })
      )
    for (const color of [null, "", " "])
      assert.deepStrictEqual(yield* decoded(color), Exit.succeed({ accent_color: null }))
    for (const color of ["#777777", "#FFFFFF", "#FFCC00", "red", "#12345", "#1234567", "rgb(0,0,0)"])
      assert.isTrue(Exit.isFailure(yield* decoded(color)), color)
  })
)
