/** Signing in with an identity provider: a button for each, and what the provider sends back. */
import type { JSX } from "preact"
import { useEffect, useState } from "preact/hooks"
import { get } from "../api/Api.ts"
import { Failure } from "../api/Failure.ts"
import { beginWithProvider, finishWithProvider } from "../api/Session.ts"
import { failureText } from "../components/Failed.tsx"
import { Notice } from "../components/Notice.tsx"
import { fill } from "../i18n/Format.ts"
import { accountFailure, type Worded } from "./Step.tsx"

interface Provider {
  readonly issuer: string
  readonly name: string
}

/** The language that the address asked for. It is kept for the return, whose address is the same for all languages. */
const keptLanguage = "livery.language"

/**
 * What a provider sent back in the address; undefined if the page was opened in another way. The address loses it, so that
 * neither a new load nor the browser's history sends it again.
 */
export const takeReturn = (): URLSearchParams | undefined => {
  const address = new URL(location.href)
  const sent = address.searchParams
  if (!sent.has("state") || !(sent.has("code") || sent.has("error"))) return undefined
  const asked = sent.get("lang")
  history.replaceState(null, "", asked === null ? "./login" : `./login?lang=${encodeURIComponent(asked)}`)
  return sent
}

/** Signs in with what the provider sent back, in the language that the person had before. Resolves to the reason for a refusal, in words. */
export const finish = async (sent: URLSearchParams, words: Worded["words"]): Promise<string | undefined> => {
  const language = sessionStorage.getItem(keptLanguage)
  sessionStorage.removeItem(keptLanguage)
  if (language !== null && !sent.has("lang")) {
    sent.set("lang", language)
    location.replace(`./login?${String(sent)}`)
    // The page that is loaded now finishes, because each return can be used once.
    return new Promise(() => undefined)
  }
  if (sent.has("error")) return sent.get("error") === "access_denied" ? words.cancelled : words.startAgain
  const [code = "", state = "", iss] = ["code", "state", "iss"].map((name) => sent.get(name) ?? undefined)
  try {
    await finishWithProvider(iss === undefined ? { code, state } : { code, state, iss })
    return undefined
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    return explain(error, words)
  }
}

/** The reason for a failed sign-in with a provider, in words. */
const explain = (failure: Failure, words: Worded["words"]) => {
  if (failure.type === "feature_unavailable") return words.noAccount
  if (failure.type === "email_unverified") return words.providerUnverified
  if (failure.status >= 500) return words.providerDown
  if (failure.status === 401 || failure.status === 422) return words.startAgain
  return accountFailure(failure, words) ?? failureText(failure, words)
}

/** The buttons of the providers; nothing if there are none. */
export const Providers = ({ words }: Worded): JSX.Element | null => {
  const [providers, setProviders] = useState<ReadonlyArray<Provider>>([])
  const [isBusy, setBusy] = useState(false)
  const [refusal, setRefusal] = useState<string>()
  useEffect(() => {
    // The password works without them.
    get<ReadonlyArray<Provider>>("/auth/idp").then(setProviders, () => undefined)
    // The browser may show this page again, as it was left, after its back button.
    const show = () => setBusy(false)
    addEventListener("pageshow", show)
    return () => removeEventListener("pageshow", show)
  }, [])

  const begin = async (issuer: string) => {
    if (isBusy) return
    setBusy(true)
    setRefusal(undefined)
    const language = new URLSearchParams(location.search).get("lang")
    if (language !== null) sessionStorage.setItem(keptLanguage, language)
    try {
      location.assign(await beginWithProvider(issuer))
    } catch (error) {
      setBusy(false)
      if (!(error instanceof Failure)) throw error
      setRefusal(explain(error, words))
    }
  }

  if (providers.length === 0) return null
  return (
    <div class="providers">
      <p class="muted small">{words.or}</p>
      {refusal !== undefined && (
        <Notice tone="bad" role="alert">
          {refusal}
        </Notice>
      )}
      {providers.map(({ issuer, name }) => (
        <button
          key={issuer}
          type="button"
          class="button"
          aria-disabled={isBusy ? "true" : undefined}
          onClick={() => void begin(issuer)}
        >
          <bdi>{fill(words.continueWith, { provider: name })}</bdi>
        </button>
      ))}
    </div>
  )
}
