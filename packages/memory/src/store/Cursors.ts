/** Cursors of lists: whole numbers in an opaque text. */
import { Option, Result } from "effect"
import * as Base64Url from "effect/encoding/Base64Url"

/** The cursor of these numbers. */
export const cursorOf = (numbers: ReadonlyArray<number>): string => Base64Url.encode(numbers.join("."))

/** The numbers of a cursor that {@link cursorOf} made; `None` for any other text. */
export const numbersOf = (cursor: string): Option.Option<ReadonlyArray<number>> => {
  const numbers = Result.getOrElse(Base64Url.decodeString(cursor), () => "")
    .split(".")
    .map(Number)
  return cursorOf(numbers) === cursor && numbers.every(Number.isSafeInteger)
    ? Option.some(numbers)
    : Option.none()
}
