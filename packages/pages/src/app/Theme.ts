/** The look of the office: as the device has it, light, or dark. The account keeps the choice, and the browser for the next start. */
import { signal } from "@preact/signals"

export type Theme = "system" | "light" | "dark"

export const themes: ReadonlyArray<Theme> = ["system", "light", "dark"]

const mark = "livery.theme"
const kept = localStorage.getItem(mark)

/** The chosen look. */
export const theme = signal<Theme>(kept === "light" || kept === "dark" ? kept : "system")

/** Draws the page in the chosen look. */
export const applyTheme = (): void => {
  document.documentElement.style.colorScheme = theme.value === "system" ? "" : theme.value
}

export const chooseTheme = (chosen: Theme): void => {
  theme.value = chosen
  localStorage.setItem(mark, chosen)
  applyTheme()
}
