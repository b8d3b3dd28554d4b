/** Asks whether a change is undone although the server warns. */
import type { JSX } from "preact"
import { Notice } from "../../components/Notice.tsx"
import { Confirm } from "../parts/Confirm.tsx"
import { question, undoLast } from "../Undo.ts"
import type { AppWords } from "../words/en.ts"

const close = () => {
  question.value = undefined
}

export const UndoQuestion = ({
  label,
  reason,
  words
}: {
  readonly label: string
  readonly reason: string
  readonly words: AppWords
}): JSX.Element => (
  <Confirm
    title={words.undoTitle}
    submit={words.undoAnyway}
    words={words}
    onClose={close}
    onConfirm={() => undoLast(words, true)}
  >
    <p>{label}</p>
    <Notice tone="warn" role="alert">
      {reason}
    </Notice>
  </Confirm>
)
