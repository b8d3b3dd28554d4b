/** Asks before something that cannot be undone; a refusal of the server is shown in the dialog. */
import type { ComponentChildren, JSX } from "preact"
import { Dialog } from "../../components/Dialog.tsx"
import { Form } from "../../components/Form.tsx"
import type { AppWords } from "../words/en.ts"

export const Confirm = ({
  children,
  onClose,
  onConfirm,
  submit,
  title,
  words
}: {
  readonly title: string
  readonly submit: string
  /** Does it. The dialog stays open if it resolves to `false`. */
  readonly onConfirm: () => Promise<unknown>
  readonly onClose: () => void
  readonly words: AppWords
  readonly children?: ComponentChildren
}): JSX.Element => (
  <Dialog title={title} onClose={onClose}>
    <Form
      submit={submit}
      words={words}
      onSubmit={async () => {
        if ((await onConfirm()) !== false) onClose()
      }}
    >
      {() => children}
    </Form>
    <button type="button" class="button" onClick={onClose}>
      {words.cancel}
    </button>
  </Dialog>
)
