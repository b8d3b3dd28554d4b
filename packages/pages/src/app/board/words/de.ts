import app from "../../words/de.ts"
import type { BoardWords } from "./en.ts"

const words: BoardWords = {
  ...app,
  today: "Heute"
}
export default words
