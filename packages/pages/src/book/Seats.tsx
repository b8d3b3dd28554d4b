/** The child seats of a ride. */
import type { JSX } from "preact"
import { seatTypes } from "./Draft.ts"
import { CountInput } from "./Inputs.tsx"
import * as state from "./state.ts"
import type { BookWords } from "./words/en.ts"

export const Seats = ({ words }: { readonly words: BookWords }): JSX.Element => {
  const isUsed = seatTypes.some((type) => Number(state.draft.value[type]) !== 0)
  const isWrong = [state.refusal.value, state.priceRefusal.value].some((failure) =>
    failure?.details.some(({ field }) => field.startsWith("child_seats"))
  )
  return (
    <details open={isUsed || isWrong}>
      <summary>{words.childSeats}</summary>
      <div class="triple">
        {seatTypes.map((type) => (
          <CountInput key={type} name={type} min={0} label={words.seats[type]} words={words} />
        ))}
      </div>
      {isWrong && (
        <p class="wrong small" role="alert">
          {words.invalid}
        </p>
      )}
    </details>
  )
}
