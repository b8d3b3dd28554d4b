/** Asking for a code, and setting a new password with it. */
import type { JSX } from "preact"
import { useState } from "preact/hooks"
import { post, valueInAddress } from "../api/Api.ts"
import type { Failure } from "../api/Failure.ts"
import { fieldError } from "../components/Field.tsx"
import { Form } from "../components/Form.tsx"
import { Notice } from "../components/Notice.tsx"
import { fill } from "../i18n/Format.ts"
import {
  accountFailure,
  CodeField,
  EmailField,
  PasswordField,
  Step,
  stepAddress,
  type Worded
} from "./Step.tsx"

type Way = "ask" | "set" | "done"

const hasWrongCode = ({ details }: Failure) => details.some(({ field }) => field === "code")

export const ResetPassword = ({ words }: Worded): JSX.Element => {
  const code = valueInAddress("code")
  const [way, go] = useState<Way>(code === "" ? "ask" : "set")
  const [sentTo, setSentTo] = useState("")
  if (way === "done")
    return (
      <Step title={words.passwordSaved}>
        <a class="button primary" href={stepAddress("login", sentTo === "" ? {} : { email: sentTo })}>
          {words.signIn}
        </a>
      </Step>
    )
  if (way === "ask")
    return (
      <Step title={words.forgot}>
        <p class="muted">{words.forgotHelp}</p>
        <Form
          key="ask"
          submit={words.sendCode}
          words={words}
          onSubmit={async ({ email = "" }, key) => {
            await post("/auth/password-reset", { email }, key)
            setSentTo(email)
            go("set")
          }}
        >
          {(failure) => <EmailField words={words} error={fieldError(failure, "email", words)} />}
        </Form>
        <p class="ways">
          <a href={stepAddress("login")}>{words.signIn}</a>
        </p>
      </Step>
    )
  return (
    <Step title={words.reset}>
      {sentTo !== "" && <Notice role="status">{fill(words.resetSent, { email: sentTo })}</Notice>}
      <Form
        key="set"
        submit={words.savePassword}
        words={words}
        onSubmit={async (typed, key) => {
          await post("/auth/password-reset/confirm", typed, key)
          go("done")
        }}
        explain={(failure) => (hasWrongCode(failure) ? words.wrongCode : accountFailure(failure, words))}
      >
        {(failure) => (
          <>
            <CodeField words={words} value={code} error={fieldError(failure, "code", words)} />
            <PasswordField words={words} isNew error={fieldError(failure, "password", words)} />
          </>
        )}
      </Form>
      <p class="ways">
        <button type="button" class="link" onClick={() => go("ask")}>
          {words.newCode}
        </button>
      </p>
    </Step>
  )
}
