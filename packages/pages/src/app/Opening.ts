/** The opening of the office: the person, the code of the screen and its records are read at once, before the page has its words. */
import { isSignedIn } from "../api/Person.ts"
import { restore } from "../api/Session.ts"
import { openDemonstration } from "./DemonstrationLink.ts"
import { loadMember, refusal } from "./Member.ts"
import { changeLayout, layout, restorePreferences } from "./Preferences.ts"
import { parts } from "./Router.ts"
import { entryOf, loadScreen } from "./screens.ts"
import { goToSignIn } from "./SignIn.ts"

/** Opens the office for the signed-in person. */
export const openOffice = async (): Promise<void> => {
  const entry = entryOf(parts.value[0])
  // A failure shows where the screen is drawn, which loads it again.
  if (entry !== undefined) loadScreen(entry).catch(() => {})
  const demonstration = await openDemonstration()
  if (demonstration === "refused") return
  await restore()
  if (isSignedIn.value !== true) return goToSignIn()
  const opened = Promise.all([loadMember(), restorePreferences()])
  entry?.begin?.()
  await opened
  if (demonstration === "signed in" && layout.value.tour === undefined) changeLayout({ tour: 1 })
  const { status = 0, type = "" } = refusal.value ?? {}
  // Whoever may act for several businesses chooses one there.
  if (status === 401 || type === "business_required") goToSignIn()
}
