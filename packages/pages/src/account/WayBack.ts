/** The way back to the screen of the office that led to the sign-in. */
import { returnMark } from "../app/SignIn.ts"

/** Leads back once, if a screen led here. */
export const goBack = (): void => {
  const path = sessionStorage.getItem(returnMark)
  sessionStorage.removeItem(returnMark)
  if (path !== null && /^\/(?!\/)/u.test(path)) location.replace(path)
}
