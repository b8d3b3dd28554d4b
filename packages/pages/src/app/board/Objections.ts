/** What the board itself shows against a driver, in words. */
import { fill } from "../../i18n/Format.ts"
import { timeOf } from "../Formats.ts"
import { absenceText } from "./Absences.ts"
import type { Candidate } from "./Facts.ts"
import { spanOf } from "./Jobs.ts"
import type { BoardWords } from "./words/en.ts"

export const objectionsOf = (
  { absent, during, hasFewSeats, isAway, isOtherClass }: Candidate,
  words: BoardWords
): ReadonlyArray<string> => [
  ...during.map((job) => {
    const [from, to] = spanOf(job)
    return fill(words.busyWith, { trip: job.reference, from: timeOf(from), to: timeOf(to) })
  }),
  ...absent.map((absence) => fill(words.absentShort, { reason: absenceText(absence, words) })),
  ...(isAway ? [words.awayShort] : []),
  ...(hasFewSeats ? [words.fewSeatsShort] : []),
  ...(isOtherClass ? [words.otherClassShort] : [])
]
