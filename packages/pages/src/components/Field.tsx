/** A field of a form, with its label, its hint, and what is wrong with it. */
import type { ComponentChildren, JSX } from "preact"
import { useId } from "preact/hooks"
import type { Failure } from "../api/Failure.ts"
import type { SharedWords } from "../words/en.ts"
import { Icon } from "./Icon.tsx"

/** What a control needs so that its label, hint and error belong to it. */
export interface ControlProps {
  readonly id: string
  readonly "aria-describedby": string | undefined
  readonly "aria-invalid": boolean | undefined
}

export const Field = ({
  children,
  error,
  hint,
  label
}: {
  readonly label: string
  readonly hint?: string | undefined
  readonly error?: string | undefined
  readonly children: (control: ControlProps) => ComponentChildren
}): JSX.Element => {
  const id = useId()
  const described = [hint === undefined ? "" : `${id}-hint`, error === undefined ? "" : `${id}-error`]
  return (
    <div class={error === undefined ? "field" : "field wrong"}>
      <label for={id}>{label}</label>
      {hint !== undefined && (
        <span class="small muted" id={`${id}-hint`}>
          {hint}
        </span>
      )}
      {children({
        id,
        "aria-describedby": described.join(" ").trim() || undefined,
        "aria-invalid": error === undefined ? undefined : true
      })}
      {error !== undefined && (
        <span class="error" id={`${id}-error`}>
          <Icon name="alert" />
          {error}
        </span>
      )}
    </div>
  )
}

const issueWords: Readonly<Record<string, keyof SharedWords>> = {
  required: "required",
  too_short: "tooShort",
  too_long: "tooLong",
  out_of_range: "outOfRange",
  unknown_value: "unknownValue",
  not_found: "noSuchRecord"
}

/** What the server found wrong with a field, in words; undefined if nothing. */
export const fieldError = (
  failure: Failure | undefined,
  field: string,
  words: SharedWords
): string | undefined => {
  const wrong = failure?.details.find((detail) => detail.field === field)
  return wrong === undefined ? undefined : words[issueWords[wrong.issue] ?? "invalid"]
}

/** Moves the focus to the first wrong field of a form, after it is drawn. */
export const focusFirstWrong = (form: HTMLElement): void => {
  requestAnimationFrame(() => form.querySelector<HTMLElement>("[aria-invalid=true]")?.focus())
}
