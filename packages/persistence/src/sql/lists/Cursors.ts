/** Cursors of lists: integers encoded in an opaque text. */
import { Option, Result } from "effect"
import * as Base64Url from "effect/encoding/Base64Url"

/** Encodes these numbers as a cursor. */
export const cursorOf = (numbers: ReadonlyArray<number>): string => Base64Url.encode(numbers.join("."))

/** The numbers of a cursor that {@link cursorOf} made; `None` for any other text. */
export const numbersOf = (cursor: string): Option.Option<ReadonlyArray<number>> =>
  Result.getSuccess(Base64Url.decodeString(cursor)).pipe(
    Option.map((text) => text.split(".").map(Number)),
    Option.filter((numbers) => numbers.every(Number.isSafeInteger) && cursorOf(numbers) === cursor)
  )
