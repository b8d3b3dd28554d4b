/** Who is signed in, in whichever tab that was. Nothing here is a secret: the session has the tokens. */
import { signal } from "@preact/signals"

/** The name of the mark that says whose session the browser may have in its cookie. */
export const cookieMark = "livery.session"

/** The name of the mark that says for which business the person acts. */
export const chosenBusiness = "livery.business"

/** Whether somebody is signed in; undefined before the session has found out. */
export const isSignedIn = signal<boolean | undefined>(undefined)

let holder = ""

/** Remembers the person of this tab's access token; empty for nobody. */
export const hold = (id: string): void => {
  holder = id
}

/** The id of the person who is signed in; empty for nobody. */
export const person = (): string => localStorage.getItem(cookieMark) ?? holder

/** The business that the person acts for. */
export const actingBusiness = (): number | undefined => {
  const id = Number(localStorage.getItem(chosenBusiness))
  return id > 0 ? id : undefined
}
