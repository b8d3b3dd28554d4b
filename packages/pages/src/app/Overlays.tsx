/** The help with all keys, the list of commands, and the question before a change is undone. Their code is loaded when they first open. */
import { signal } from "@preact/signals"
import type { JSX } from "preact"
import { later } from "../components/Later.tsx"
import { question } from "./Undo.ts"
import type { AppWords } from "./words/en.ts"

const open = signal<"help" | "palette" | undefined>(undefined)

export const openHelp = (): void => {
  open.value = "help"
}

export const openPalette = (): void => {
  open.value = "palette"
}

const close = (): void => {
  open.value = undefined
}

const Help = later(() => import("./help/Help.tsx").then((module) => module.Help))
const Palette = later(() => import("./help/Palette.tsx").then((module) => module.Palette))
const UndoQuestion = later(() => import("./help/UndoQuestion.tsx").then((module) => module.UndoQuestion))

export const Overlays = ({ words }: { readonly words: AppWords }): JSX.Element | null => {
  if (question.value !== undefined) return <UndoQuestion words={words} {...question.value} />
  if (open.value === "help") return <Help words={words} onClose={close} />
  return open.value === "palette" ? <Palette words={words} onClose={close} /> : null
}
