/** Comparing an entered password with a stored hash. */
import { Effect, Redacted } from "effect"
import { type PasswordHasher } from "./PasswordHasher.ts"
import { opaqueString } from "./PasswordFields.ts"

/**
 * The password in its canonical form, and as it was entered if that is another text: hashes from before passwords had a
 * canonical form are of the entered text.
 */
const formsOf = (entered: Redacted.Redacted): readonly [Redacted.Redacted, Redacted.Redacted?] => {
  const text = Redacted.value(entered)
  const canonical = opaqueString(text)
  return canonical === text ? [entered] : [Redacted.make(canonical), entered]
}

/** The methods of `PasswordHasher` that compare, for a password as it was entered. A hash of another form is outdated. */
export const comparisonBy = (hasher: PasswordHasher["Service"]) => ({
  compare: Effect.fnUntraced(function* (entered: Redacted.Redacted, hash: string) {
    const [canonical, typed] = formsOf(entered)
    const compared = yield* hasher.compare(canonical, hash)
    if (compared.matches || typed === undefined) return compared
    const { matches } = yield* hasher.compare(typed, hash)
    return { matches, outdated: matches }
  }),
  compareDummy: (entered: Redacted.Redacted) =>
    Effect.forEach(formsOf(entered), (form = entered) => hasher.compareDummy(form), { discard: true })
})
