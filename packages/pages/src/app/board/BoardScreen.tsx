/** The dispatch board. */
import type { ScreenModule, ScreenProps } from "../screens.ts"
import { Page } from "../parts/Page.tsx"
import type { BoardWords } from "./words/en.ts"

const Board = ({ words }: ScreenProps<BoardWords>) => (
  <Page title={words.board}>
    <p>{words.today}</p>
  </Page>
)

export const screen: ScreenModule<BoardWords> = {
  words: import.meta.glob<BoardWords>("./words/*.ts", { import: "default" }),
  Screen: Board
}
