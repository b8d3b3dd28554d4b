/** Starts a screen: its language first, then its component in the body of the page. */
import { type ComponentType, render } from "preact"
import { applyLanguage, type WordModules, wordsOf } from "../i18n/Language.ts"
import "../styles/index.css"

/** Loads the words and draws the screen. A link in the same tab with another fragment starts it again. */
export const start = async <W,>(
  modules: WordModules<W>,
  Screen: ComponentType<{ readonly words: W }>
): Promise<void> => {
  applyLanguage()
  const words = await wordsOf(modules)
  render(<Screen words={words} />, document.body)
  addEventListener("hashchange", () => location.reload())
}
