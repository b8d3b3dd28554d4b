/** The words of the board, in English. */
import app, { type AppWords } from "../../words/en.ts"

const own = {
  today: "Today"
}

export type BoardWords = AppWords & Readonly<Record<keyof typeof own, string>>

const words: BoardWords = { ...app, ...own }
export default words
