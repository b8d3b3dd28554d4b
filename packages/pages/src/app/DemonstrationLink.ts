/** The link that the server printed, `/app#demo=CODE`: it signs in to the demonstration business, once. */
import { signal } from "@preact/signals"
import { failureOf } from "../api/Failure.ts"
import { signInToDemonstration } from "../api/Session.ts"
import { refusal } from "./Member.ts"

/** Whether the code of the link was refused: it was used before, is late, or is of another machine. */
export const usedLink = signal(false)

const mark = "#demo="

/** Signs in with the code in the address, if there is one. */
export const openDemonstration = async (): Promise<"no link" | "signed in" | "refused"> => {
  if (!location.hash.startsWith(mark)) return "no link"
  const code = decodeURIComponent(location.hash.slice(mark.length))
  // The code neither stays in the history nor is sent again when the page is loaded again.
  history.replaceState(null, "", `${location.pathname}${location.search}`)
  try {
    await signInToDemonstration(code)
    return "signed in"
  } catch (error) {
    const failure = failureOf(error)
    if (failure.isPassing) refusal.value = failure
    else usedLink.value = true
    return "refused"
  }
}
