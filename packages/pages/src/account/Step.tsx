/** One step of an account: its title, its form, and the ways to the other steps. */
import type { ComponentChildren, JSX } from "preact"
import { useEffect, useRef, useState } from "preact/hooks"
import type { Failure } from "../api/Failure.ts"
import { Field } from "../components/Field.tsx"
import type { AccountWords } from "./words/en.ts"

export type Worded = { readonly words: AccountWords }

/** The address of another step; it keeps the language that was asked for. */
export const stepAddress = (step: string, values: Readonly<Record<string, string>> = {}): string => {
  const hash = new URLSearchParams(values).toString()
  return `./${step}${location.search}${hash === "" ? "" : `#${hash}`}`
}

/** A step. Its title gets the focus when it takes the place of another one. */
export const Step = ({
  children,
  title
}: {
  readonly title: string
  readonly children: ComponentChildren
}): JSX.Element => {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    const isFirst = document.title === "…"
    document.title = title
    if (!isFirst) heading.current?.focus()
  }, [title])
  return (
    <section class="card step">
      <h1 tabIndex={-1} ref={heading}>
        {title}
      </h1>
      {children}
    </section>
  )
}

export const EmailField = ({
  error,
  value,
  words
}: Worded & { readonly error: string | undefined; readonly value?: string | undefined }): JSX.Element => (
  <Field label={words.email} error={error}>
    {(control) => (
      <input
        {...control}
        name="email"
        type="email"
        dir="ltr"
        autocomplete="username"
        autocapitalize="none"
        spellcheck={false}
        defaultValue={value}
        required
      />
    )}
  </Field>
)

/** A password, which can be shown, because a person on a phone cannot see what was typed. */
export const PasswordField = ({
  error,
  isNew = false,
  words
}: Worded & { readonly error: string | undefined; readonly isNew?: boolean }): JSX.Element => {
  const [isShown, setShown] = useState(false)
  return (
    <>
      <Field
        label={isNew ? words.newPassword : words.password}
        hint={isNew ? words.passwordHint : undefined}
        error={error}
      >
        {(control) => (
          <input
            {...control}
            name="password"
            {...(isShown ? { type: "text" as const } : { type: "password" as const })}
            dir="ltr"
            autocomplete={isNew ? "new-password" : "current-password"}
            autocapitalize="none"
            spellcheck={false}
            required
          />
        )}
      </Field>
      <label class="check">
        <input type="checkbox" checked={isShown} onChange={() => setShown(!isShown)} />
        {words.showPassword}
      </label>
    </>
  )
}

export const CodeField = ({
  error,
  value,
  words
}: Worded & { readonly error: string | undefined; readonly value?: string | undefined }): JSX.Element => (
  <Field label={words.code} hint={words.codeHint} error={error}>
    {(control) => (
      <input
        {...control}
        name="code"
        class="code"
        dir="ltr"
        autocomplete="one-time-code"
        autocapitalize="characters"
        spellcheck={false}
        defaultValue={value}
        required
      />
    )}
  </Field>
)

/** A refusal of an account in a person's words; undefined for all others. */
export const accountFailure = (failure: Failure, words: AccountWords): string | undefined => {
  switch (failure.type) {
    case "invalid_credentials":
      return words.wrongCredentials
    case "email_unverified":
      return words.unverified
    case "email_exists":
      return words.emailExists
    case "feature_unavailable":
      return words.closed
    case "account_suspended":
      return words.suspended
    case "unauthorized":
      return words.ended
    case "forbidden":
      return words.notAllowed
    default:
      return undefined
  }
}
