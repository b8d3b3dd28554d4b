/** Creating an account and its business, then confirming the address. */
import type { JSX } from "preact"
import { useState } from "preact/hooks"
import { post } from "../api/Api.ts"
import { isSignedIn } from "../api/Person.ts"
import { signIn } from "../api/Session.ts"
import { Field, fieldError } from "../components/Field.tsx"
import { Form } from "../components/Form.tsx"
import { Home } from "./LaterHome.ts"
import { accountFailure, EmailField, PasswordField, Step, stepAddress, type Worded } from "./Step.tsx"
import { Confirmation } from "./VerifyEmail.tsx"

export const SignUp = ({ words }: Worded): JSX.Element => {
  const [account, setAccount] = useState<{ readonly email: string; readonly password: string }>()
  if (isSignedIn.value === true) return <Home words={words} />
  if (account !== undefined)
    return (
      <Confirmation
        words={words}
        email={account.email}
        isSent
        onVerified={() => signIn(account.email, account.password)}
      />
    )
  return (
    <Step title={words.signUp}>
      <Form
        submit={words.createAccount}
        words={words}
        onSubmit={async (typed, key) => {
          await post("/auth/register", typed, key)
          setAccount({ email: typed["email"] ?? "", password: typed["password"] ?? "" })
        }}
        explain={(failure) => accountFailure(failure, words)}
      >
        {(failure) => (
          <>
            <Field label={words.name} error={fieldError(failure, "name", words)}>
              {(control) => <input {...control} name="name" dir="auto" autocomplete="name" required />}
            </Field>
            <Field label={words.businessName} error={fieldError(failure, "business_name", words)}>
              {(control) => (
                <input {...control} name="business_name" dir="auto" autocomplete="organization" required />
              )}
            </Field>
            <EmailField words={words} error={fieldError(failure, "email", words)} />
            <PasswordField words={words} isNew error={fieldError(failure, "password", words)} />
          </>
        )}
      </Form>
      <p class="ways">
        <span>
          {words.haveAccount} <a href={stepAddress("login")}>{words.signIn}</a>
        </span>
      </p>
    </Step>
  )
}
