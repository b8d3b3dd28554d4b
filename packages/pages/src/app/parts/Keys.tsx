/** The keys of a command, as they are on the keyboard. */
import type { JSX } from "preact"
import type { AppWords } from "../words/en.ts"

const shown = (key: string, words: AppWords) => {
  const names: Readonly<Record<string, string>> = {
    Ctrl: words.ctrl,
    Enter: "↵",
    Escape: "Esc",
    ArrowUp: "↑",
    ArrowDown: "↓",
    ArrowLeft: "←",
    ArrowRight: "→"
  }
  return key.split(" ").map((part) => names[part] ?? part.toUpperCase())
}

export const Keys = ({ of, words }: { readonly of: string; readonly words: AppWords }): JSX.Element => (
  <span class="keys">
    {shown(of, words).map((part, index) => (
      <kbd key={index}>{part}</kbd>
    ))}
  </span>
)
