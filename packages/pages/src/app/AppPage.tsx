/** The office: opens it for the signed-in person, or says why it cannot. */
import type { JSX } from "preact"
import { useEffect } from "preact/hooks"
import { isSignedIn } from "../api/Person.ts"
import { restore } from "../api/Session.ts"
import { failureText } from "../components/Failed.tsx"
import { EmptyState } from "../components/EmptyState.tsx"
import { openDemonstration, usedLink } from "./DemonstrationLink.ts"
import { Frame } from "./Frame.tsx"
import { loadMember, member, refusal } from "./Member.ts"
import { changeLayout, layout, restorePreferences } from "./Preferences.ts"
import { goToSignIn } from "./SignIn.ts"
import { Waiting } from "./parts/Waiting.tsx"
import type { AppWords } from "./words/en.ts"

const Refused = ({ words }: { readonly words: AppWords }) => {
  if (usedLink.value)
    return (
      <main class="refused">
        <EmptyState icon="info" title={words.demoLinkOver}>
          <p class="muted">{words.demoLinkOverHelp}</p>
          <button type="button" class="button primary" onClick={goToSignIn}>
            {words.signIn}
          </button>
        </EmptyState>
      </main>
    )
  const failure = refusal.value
  if (failure === undefined) return <Waiting words={words} heights={[56, 480]} />
  return (
    <main class="refused">
      {failure.status === 403 ? (
        <EmptyState icon="info" title={words.notForYou}>
          <p class="muted">{words.notForYouHelp}</p>
          <p class="row">
            <a class="button primary" href="/drive">
              {words.yourJobs}
            </a>
            <a class="button" href="/login">
              {words.account}
            </a>
          </p>
        </EmptyState>
      ) : (
        <EmptyState icon="alert" title={failureText(failure, words)}>
          <button type="button" class="button primary" onClick={() => void loadMember()}>
            {words.retry}
          </button>
        </EmptyState>
      )}
    </main>
  )
}

export const AppPage = ({ words }: { readonly words: AppWords }): JSX.Element => {
  useEffect(() => {
    const begin = async () => {
      const demonstration = await openDemonstration()
      if (demonstration === "refused") return
      await restore()
      if (isSignedIn.value !== true) return goToSignIn()
      await Promise.all([loadMember(), restorePreferences()])
      if (demonstration === "signed in" && layout.value.tour === undefined) changeLayout({ tour: 1 })
      const { status = 0, type = "" } = refusal.value ?? {}
      // Whoever may act for several businesses chooses one there.
      if (status === 401 || type === "business_required") goToSignIn()
    }
    void begin()
  }, [])
  return member.value === undefined ? <Refused words={words} /> : <Frame words={words} />
}
