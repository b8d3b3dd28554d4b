/** Signing in with an email address and a password, or with an identity provider. */
import type { JSX } from "preact"
import { useState } from "preact/hooks"
import { valueInAddress } from "../api/Api.ts"
import { signIn } from "../api/Session.ts"
import { fieldError } from "../components/Field.tsx"
import { Form } from "../components/Form.tsx"
import { Notice } from "../components/Notice.tsx"
import { Providers } from "./Providers.tsx"
import { accountFailure, EmailField, PasswordField, Step, stepAddress, type Worded } from "./Step.tsx"

export const SignIn = ({
  refusal,
  words
}: Worded & {
  /** Why the sign-in with a provider was refused a moment ago. */
  readonly refusal?: string | undefined
}): JSX.Element => {
  const [email, setEmail] = useState(valueInAddress("email"))
  return (
    <Step title={words.signIn}>
      {refusal !== undefined && (
        <Notice tone="bad" role="alert">
          {refusal}
        </Notice>
      )}
      <Form
        submit={words.signIn}
        words={words}
        onSubmit={async ({ email = "", password = "" }) => {
          setEmail(email)
          await signIn(email, password)
        }}
        explain={(failure) =>
          failure.type === "email_unverified" ? (
            <>
              {words.unverified} <a href={stepAddress("verify-email", { email })}>{words.verify}</a>
            </>
          ) : (
            accountFailure(failure, words)
          )
        }
      >
        {(failure) => (
          <>
            <EmailField words={words} value={email} error={fieldError(failure, "email", words)} />
            <PasswordField words={words} error={fieldError(failure, "password", words)} />
          </>
        )}
      </Form>
      <Providers words={words} />
      <p class="ways">
        <a href={stepAddress("password-reset")}>{words.forgot}</a>
        <a href={stepAddress("sign-up")}>{words.createAccount}</a>
      </p>
    </Step>
  )
}
