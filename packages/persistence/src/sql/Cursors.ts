/** Cursors of lists: whole numbers in an opaque text. */
import { Option } from "effect"

/** The cursor of these numbers. */
export const cursorOf = (numbers: ReadonlyArray<number>): string =>
  Buffer.from(numbers.join(".")).toString("base64url")

/** The numbers of a cursor that {@link cursorOf} made; `None` for any other text. */
export const numbersOf = (cursor: string): Option.Option<ReadonlyArray<number>> => {
  const numbers = Buffer.from(cursor, "base64url").toString("latin1").split(".").map(Number)
  return cursorOf(numbers) === cursor && numbers.every(Number.isSafeInteger)
    ? Option.some(numbers)
    : Option.none()
}
