/** All keys that do something on the present screen. */
import type { JSX } from "preact"
import { Dialog } from "../../components/Dialog.tsx"
import { allCommands, hasLetters, useLetters } from "../Keys.ts"
import { Keys } from "../parts/Keys.tsx"
import type { AppWords } from "../words/en.ts"

export const Help = ({
  onClose,
  words
}: {
  readonly words: AppWords
  readonly onClose: () => void
}): JSX.Element => (
  <Dialog title={words.help} onClose={onClose}>
    <dl class="key-list" tabIndex={0}>
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
