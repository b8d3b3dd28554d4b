/** What the person's account keeps of the office: the language, the look, and the layout of the board. */
import type { Preferences } from "@livery/client"
import { signal } from "@preact/signals"
import { changeLanguage, language, offered } from "../i18n/Language.ts"
import { api } from "./Api.ts"
import { wasRolling } from "./FirstBoard.ts"
import { query } from "./Router.ts"
import { chooseTheme, theme } from "./Theme.ts"

/** The layout of the board. */
export interface Layout {
  readonly rows?: string
  readonly isRolling?: boolean
  readonly isMapClosed?: boolean
  /** The step of the tour that is shown; `over` once the person has ended the tour. */
  readonly tour?: number | "over"
}

/** The kept layout; before the account is read, what this browser knows of it. */
export const layout = signal<Layout>(wasRolling() ? { isRolling: true } : {})

/** Keeps preferences in the account. Without a connection, they hold in this browser alone. */
export const keep = (changes: Partial<Preferences>): Promise<unknown> =>
  api.me.changePreferences(changes).catch(() => undefined)

export const changeLayout = (changes: Layout): void => {
  layout.value = { ...layout.value, ...changes }
  void keep({ board: { ...layout.value } })
}

/** Takes over what the account keeps. Another language loads the page again. */
export const restorePreferences = async (): Promise<void> => {
  try {
    const kept = await api.me.readPreferences()
    layout.value = kept.board
    if (kept.theme !== theme.value) chooseTheme(kept.theme)
    const spoken = offered.find((code) => code === kept.language) ?? language
    if (spoken !== language && !query.value.has("lang")) changeLanguage(spoken)
  } catch {
    // Then the office works with what this browser keeps.
  }
}
