/** The words of the parts that are loaded after the first view, in the language of the page. */
import { wordsOf } from "../../i18n/Language.ts"
import type { DriveWords } from "../words/en.ts"
import type { LaterWords } from "./words/en.ts"

/** The words of the first view, and these. */
export type AllWords = DriveWords & LaterWords

export const laterWords: LaterWords = await wordsOf(
  import.meta.glob<LaterWords>("./words/*.ts", { import: "default" })
)
