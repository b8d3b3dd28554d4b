/** Deletes a record: asks first, and once more if the server wants a confirmation of what else the deletion changes. */
import type { JSX } from "preact"
import { useState } from "preact/hooks"
import { failureOf } from "../../api/Failure.ts"
import { Notice } from "../../components/Notice.tsx"
import { fill } from "../../i18n/Format.ts"
import type { AppWords } from "../words/en.ts"
import { Confirm } from "./Confirm.tsx"

export const Removal = ({
  name,
  onClose,
  onRemove,
  words
}: {
  /** What is deleted. */
  readonly name: string
  /** Deletes it; with `force`, whatever depends on it. */
  readonly onRemove: (force: boolean) => Promise<unknown>
  readonly onClose: () => void
  readonly words: AppWords
}): JSX.Element => {
  const [reason, setReason] = useState<string>()
  const remove = async () => {
    try {
      await onRemove(reason !== undefined)
    } catch (error) {
      const failure = failureOf(error)
      if (failure.type !== "confirmation_required" || reason !== undefined) throw failure
      setReason(failure.message)
      return false
    }
    return true
  }
  return (
    <Confirm
      title={fill(words.deleteTitle, { name })}
      submit={reason === undefined ? words.delete : words.deleteAnyway}
      words={words}
      onClose={onClose}
      onConfirm={remove}
    >
      {reason !== undefined && (
        <Notice tone="warn" role="alert">
          {reason}
        </Notice>
      )}
    </Confirm>
  )
}
