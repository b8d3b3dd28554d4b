/** All keys that do something on the present screen. */
import type { JSX } from "preact"
import { Dialog } from "../../components/Dialog.tsx"
import { allCommands, hasLetters, useLetters } from "../Keys.ts"
import type { AppWords } from "../words/en.ts"

/** The keys as they are on the keyboard. */
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

export const Help = ({
  onClose,
  words
}: {
  readonly words: AppWords
  readonly onClose: () => void
}): JSX.Element => (
  <Dialog title={words.help} onClose={onClose}>
    <dl class="key-list">
      <div>
        <dt>{words.commands}</dt>
        <dd>
          <Keys of="Ctrl k" words={words} />
        </dd>
      </div>
      {allCommands()
        .filter(({ key }) => key !== "Ctrl k")
        .map(({ key, label }) => (
          <div key={key}>
            <dt>{label}</dt>
            <dd>
              <Keys of={key} words={words} />
            </dd>
          </div>
        ))}
    </dl>
    <label class="check-line">
      <input
        type="checkbox"
        checked={hasLetters.value}
        onChange={({ currentTarget }) => useLetters(currentTarget.checked)}
      />
      {words.letters}
    </label>
    <button type="button" class="button" onClick={onClose}>
      {words.close}
    </button>
  </Dialog>
)
