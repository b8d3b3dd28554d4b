/** The office: opens it for the signed-in person, or says why it cannot. */
import type { JSX } from "preact"
import { failureText, MovedLink } from "../components/Failed.tsx"
import { EmptyState } from "../components/EmptyState.tsx"
import { usedLink } from "./DemonstrationLink.ts"
import { Frame } from "./Frame.tsx"
import { loadMember, member, refusal } from "./Member.ts"
import { goToSignIn, pageBeside } from "./SignIn.ts"
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
          {failure.movedTo === undefined ? (
            <button type="button" class="button primary" onClick={() => void loadMember()}>
              {words.retry}
            </button>
          ) : (
            <p class="row">
              <MovedLink url={failure.movedTo} words={words} />
              <a class="button" href={pageBeside("login")}>
                {words.account}
              </a>
            </p>
          )}
        </EmptyState>
      )}
    </main>
  )
}

export const AppPage = ({ words }: { readonly words: AppWords }): JSX.Element =>
  member.value === undefined ? <Refused words={words} /> : <Frame words={words} />
