/** A form that keeps what was typed when a request fails, says why, and moves to the first wrong field. */
import type { ComponentChildren, JSX } from "preact"
import { useRef, useState } from "preact/hooks"
import { type Failure, failureOf } from "../api/Failure.ts"
import { newKey } from "../api/Key.ts"
import type { SharedWords } from "../words/en.ts"
import { failureText } from "./Failed.tsx"
import { focusFirstWrong } from "./Field.tsx"
import { Notice } from "./Notice.tsx"

/** The texts that were typed, by the names of their fields. */
export type Typed = Readonly<Record<string, string>>

const typedIn = (form: HTMLFormElement): Typed =>
  Object.fromEntries(
    [...new FormData(form)].map(([name, value]) => [name, typeof value === "string" ? value : value.name])
  )

export const Form = ({
  children,
  explain,
  onSubmit,
  submit,
  words
}: {
  readonly submit: string
  readonly words: SharedWords
  /** Sends what was typed. The key stays the same until it has succeeded, or something else is typed. */
  readonly onSubmit: (typed: Typed, key: string) => Promise<void>
  /** The sentence for a failure that this form knows; undefined for the usual one. */
  readonly explain?: (failure: Failure) => ComponentChildren
  readonly children: (failure: Failure | undefined) => ComponentChildren
}): JSX.Element => {
  const [failure, setFailure] = useState<Failure | undefined>(undefined)
  const [isBusy, setBusy] = useState(false)
  const key = useRef(newKey())

  const send = async (form: HTMLFormElement) => {
    if (isBusy) return
    setBusy(true)
    setFailure(undefined)
    try {
      await onSubmit(typedIn(form), key.current)
      key.current = newKey()
    } catch (error) {
      setFailure(failureOf(error))
      focusFirstWrong(form)
    }
    setBusy(false)
  }

  return (
    <form
      class="form"
      noValidate
      onInput={() => {
        key.current = newKey()
      }}
      onSubmit={(event) => {
        event.preventDefault()
        void send(event.currentTarget)
      }}
    >
      {failure !== undefined && (
        <Notice tone="bad" role="alert">
          {explain?.(failure) ?? failureText(failure, words)}
        </Notice>
      )}
      {children(failure)}
      <button type="submit" class="button primary" aria-disabled={isBusy ? "true" : undefined}>
        {submit}
      </button>
    </form>
  )
}
