/** How a user wants the screens: language, theme, layout of the dispatch board (docs/api/accounts.md). */
import { Schema } from "effect"
import { check } from "../../kernel/fields/FieldIssue.ts"

/** The languages of the screens. */
export const ScreenLanguage = Schema.Literals([
  "en",
  "de",
  "fr",
  "it",
  "es",
  "pt",
  "nl",
  "pl",
  "el",
  "uk",
  "ar"
])

/** The look of the screens; `system` follows the device. */
export const Theme = Schema.Literals(["system", "light", "dark"])

/** The most characters of a layout, as JSON. */
const maxLayout = 4000

/** The layout of the board: any JSON object of the screen, up to 4,000 characters. */
const BoardLayout = Schema.Record(Schema.String, Schema.Json).check(
  check<object>("too_long", (layout) => JSON.stringify(layout).length <= maxLayout, { type: "object" })
)

/** The preferences of a user. `language` is null until the user chooses one. */
export const Preferences = Schema.Struct({
  language: Schema.NullOr(ScreenLanguage),
  theme: Theme,
  board: BoardLayout
})
export type Preferences = typeof Preferences.Type

/** The body that changes preferences: at least one field. A `board` replaces the whole layout. */
export const PreferenceChanges = Schema.Struct({
  language: Schema.optionalKey(Schema.NullOr(ScreenLanguage)),
  theme: Schema.optionalKey(Theme),
  board: Schema.optionalKey(BoardLayout)
}).check(check<object>("required", (changes) => Object.keys(changes).length > 0, { minProperties: 1 }))
export type PreferenceChanges = typeof PreferenceChanges.Type

/** The preferences of a user who has set none. */
export const noPreferences: Preferences = { language: null, theme: "system", board: {} }
