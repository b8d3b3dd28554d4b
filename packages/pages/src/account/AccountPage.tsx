/** The pages of an account. The address decides which step is shown: `/login`, `/sign-up`, `/password-reset`. */
import type { JSX } from "preact"
import { useEffect, useState } from "preact/hooks"
import { isSignedIn } from "../api/Person.ts"
import { restore } from "../api/Session.ts"
import { Shell, Skeleton } from "../shell/Shell.tsx"
import { AcceptInvitation } from "./AcceptInvitation.tsx"
import { Home } from "./LaterHome.ts"
import { finish, takeReturn } from "./Providers.tsx"
import { ResetPassword } from "./ResetPassword.tsx"
import { SignIn } from "./SignIn.tsx"
import { SignUp } from "./SignUp.tsx"
import type { Worded } from "./Step.tsx"
import { VerifyEmail } from "./VerifyEmail.tsx"
import "./account.css"

const SignInOrHome = ({ words }: Worded) => {
  const [sent, setSent] = useState(takeReturn)
  const [refusal, setRefusal] = useState<string>()
  useEffect(() => {
    const begin = async () => {
      if (sent !== undefined) setRefusal(await finish(sent, words))
      setSent(undefined)
      await restore()
    }
    void begin()
  }, [])
  if (sent !== undefined || isSignedIn.value === undefined) return <Skeleton heights={[320]} words={words} />
  return isSignedIn.value ? <Home words={words} /> : <SignIn words={words} refusal={refusal} />
}

const steps: Readonly<Record<string, (props: Worded) => JSX.Element>> = {
  "sign-up": SignUp,
  "verify-email": VerifyEmail,
  "password-reset": ResetPassword,
  "accept-invitation": AcceptInvitation
}

export const AccountPage = ({ words }: Worded): JSX.Element => {
  const name =
    location.pathname
      .split("/")
      .at(-1)
      ?.replace(/\.html$/u, "") ?? ""
  const Step = steps[name] ?? SignInOrHome
  return (
    <Shell brand={undefined} words={words}>
      <Step words={words} />
    </Shell>
  )
}
