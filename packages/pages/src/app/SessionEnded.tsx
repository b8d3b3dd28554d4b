/** Says that the session has ended, above what was typed, which stays. The sign-in is in another tab. */
import type { JSX } from "preact"
import { useEffect } from "preact/hooks"
import { isSignedIn } from "../api/Person.ts"
import { restore } from "../api/Session.ts"
import { Dialog } from "../components/Dialog.tsx"
import { member } from "./Member.ts"
import { pageBeside } from "./SignIn.ts"
import type { AppWords } from "./words/en.ts"

export const SessionEnded = ({ words }: { readonly words: AppWords }): JSX.Element | null => {
  useEffect(() => {
    const look = () => {
      if (isSignedIn.value === false) void restore()
    }
    addEventListener("focus", look)
    return () => removeEventListener("focus", look)
  }, [])
  if (isSignedIn.value !== false || member.value === undefined) return null
  return (
    <Dialog title={words.ended} onClose={() => void restore()}>
      <p>{words.endedHelp}</p>
      <div class="actions">
        <a class="button primary" href={pageBeside("login")} target="_blank" rel="noopener">
          {words.signIn}
        </a>
        <button type="button" class="button" onClick={() => void restore()}>
          {words.goOn}
        </button>
      </div>
    </Dialog>
  )
}
