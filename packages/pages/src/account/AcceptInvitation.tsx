/** Accepting the invitation of a business, as a driver or as a member. */
import type { JSX } from "preact"
import { useState } from "preact/hooks"
import { post, valueInAddress } from "../api/Api.ts"
import type { Failure } from "../api/Failure.ts"
import { Field, fieldError } from "../components/Field.tsx"
import { Form } from "../components/Form.tsx"
import { accountFailure, CodeField, PasswordField, Step, stepAddress, type Worded } from "./Step.tsx"

/** The reason for a refused invitation, in words. */
const explain = (failure: Failure, { words }: Worded) => {
  if (failure.details.some(({ field }) => field === "code")) return words.wrongInvitation
  return failure.status === 409 ? words.alreadyMember : accountFailure(failure, words)
}

export const AcceptInvitation = ({ words }: Worded): JSX.Element => {
  const [isDriver, setDriver] = useState<boolean>()
  if (isDriver !== undefined)
    return (
      <Step title={words.accepted}>
        <a class="button primary" href={isDriver ? "./drive" : stepAddress("login")}>
          {words.signIn}
        </a>
      </Step>
    )
  return (
    <Step title={words.invitation}>
      <p class="muted">{words.invitationHelp}</p>
      <Form
        submit={words.accept}
        words={words}
        onSubmit={async ({ code, name, password }, key) => {
          const body = name === "" ? { code, password } : { code, name, password }
          const { driver_id } = await post<{ driver_id?: number }>("/auth/accept-invitation", body, key)
          setDriver(driver_id !== undefined)
        }}
        explain={(failure) => explain(failure, { words })}
      >
        {(failure) => (
          <>
            <CodeField
              words={words}
              value={valueInAddress("code")}
              error={fieldError(failure, "code", words)}
            />
            <Field label={words.nameOptional} error={fieldError(failure, "name", words)}>
              {(control) => <input {...control} name="name" dir="auto" autocomplete="name" />}
            </Field>
            <PasswordField words={words} isNew error={fieldError(failure, "password", words)} />
          </>
        )}
      </Form>
    </Step>
  )
}
