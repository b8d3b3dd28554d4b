/** Confirming an email address with the code that was mailed to it. Following the link alone confirms nothing. */
import type { JSX } from "preact"
import { useState } from "preact/hooks"
import { post, valueInAddress } from "../api/Api.ts"
import { Failure } from "../api/Failure.ts"
import { fieldError } from "../components/Field.tsx"
import { Form } from "../components/Form.tsx"
import { Notice } from "../components/Notice.tsx"
import { fill } from "../i18n/Format.ts"
import { accountFailure, CodeField, EmailField, Step, stepAddress, type Worded } from "./Step.tsx"

/** The wrong code of a verification, which the server does not report as an error. */
const wrongCode = () => new Failure(422, "wrong_code", "", [{ field: "code", issue: "invalid" }])

/** Sends a new code. Nobody learns from it whether the address has an account. */
const Resend = ({
  email,
  onSent,
  words
}: Worded & { readonly email: string; readonly onSent: (email: string) => void }) => (
  <details class="more">
    <summary>{words.noCode}</summary>
    <Form
      submit={words.resend}
      words={words}
      onSubmit={async ({ email = "" }, key) => {
        await post("/auth/verify-email/resend", { email }, key)
        onSent(email)
      }}
    >
      {(failure) => <EmailField words={words} value={email} error={fieldError(failure, "email", words)} />}
    </Form>
  </details>
)

export const Confirmation = ({
  email,
  isSent = false,
  onVerified,
  words
}: Worded & {
  readonly email: string
  /** Whether a code was sent to the address a moment ago. */
  readonly isSent?: boolean
  readonly onVerified: (email: string) => Promise<unknown>
}): JSX.Element => {
  const [resentTo, setResentTo] = useState("")
  return (
    <Step title={words.verify}>
      {isSent && resentTo === "" && (
        <p>
          <bdi>{fill(words.codeSent, { email })}</bdi>
        </p>
      )}
      {resentTo !== "" && (
        <Notice tone="good" role="status">
          {fill(words.resent, { email: resentTo })}
        </Notice>
      )}
      <Form
        submit={words.confirm}
        words={words}
        onSubmit={async ({ code = "" }, key) => {
          const result = await post<{ verified: boolean; email: string | null }>(
            "/auth/verify-email",
            { code },
            key
          )
          if (!result.verified) throw wrongCode()
          await onVerified(result.email ?? email)
        }}
        explain={(failure) =>
          failure.type === "wrong_code" ? words.wrongCode : accountFailure(failure, words)
        }
      >
        {(failure) => (
          <CodeField
            words={words}
            value={valueInAddress("code")}
            error={fieldError(failure, "code", words)}
          />
        )}
      </Form>
      <Resend words={words} email={email} onSent={setResentTo} />
    </Step>
  )
}

export const VerifyEmail = ({ words }: Worded): JSX.Element => {
  const [verified, setVerified] = useState<string>()
  if (verified === undefined)
    return (
      <Confirmation
        words={words}
        email={valueInAddress("email")}
        onVerified={async (email) => setVerified(email)}
      />
    )
  return (
    <Step title={words.verified}>
      <a class="button primary" href={stepAddress("login", { email: verified })}>
        {words.signIn}
      </a>
    </Step>
  )
}
