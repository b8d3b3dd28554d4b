/** The words of the account's pages. */
import shared, { type SharedWords } from "../../words/en.ts"

const own = {
  signIn: "Sign in",
  signUp: "Create your account",
  verify: "Confirm your email address",
  forgot: "Forgotten your password?",
  forgotHelp: "Enter your email address. We will send you a code to set a new password.",
  reset: "Set a new password",
  invitation: "Accept your invitation",
  invitationHelp:
    "Choose a password for your account. If you already have an account with this address, it keeps its password.",
  email: "Email address",
  password: "Password",
  newPassword: "New password",
  passwordHint: "At least 8 characters",
  showPassword: "Show the password",
  name: "Your name",
  nameOptional: "Your name (optional)",
  businessName: "Name of your business",
  code: "Code",
  codeHint: "It is in the message that we sent you.",
  createAccount: "Create an account",
  haveAccount: "Do you already have an account?",
  codeSent: "We have sent a code to {email}. It is valid for 24 hours.",
  resetSent: "If there is an account for {email}, we have sent it a message. Its code is valid for an hour.",
  noCode: "No code received?",
  sendCode: "Send the code",
  newCode: "Ask for a new code",
  resend: "Send a new code",
  resent: "If {email} still has to be confirmed, a new code is on its way.",
  confirm: "Confirm",
  savePassword: "Save the new password",
  accept: "Accept the invitation",
  verified: "Your address is confirmed",
  passwordSaved: "Your new password is saved",
  accepted: "Welcome aboard",
  wrongCode: "This code is wrong, was used already, or is too old. Check it, or ask for a new one.",
  wrongInvitation:
    "This code is wrong, was used already, or is too old. Please ask the business for a new invitation.",
  wrongCredentials: "The email address or the password is wrong.",
  unverified: "Your email address is not confirmed yet.",
  emailExists: "There is an account with this address already. Sign in, or set a new password.",
  closed: "This is not available here. Please contact the operator of this server.",
  suspended: "This business is suspended. Please contact the operator of this server.",
  notAllowed: "Your account may not do this. Please ask an owner of the business.",
  ended: "Your session has ended. Please sign in again.",
  alreadyMember: "You belong to this business already. Please sign in.",
  or: "or",
  continueWith: "Continue with {provider}",
  cancelled: "The sign-in was cancelled. You can try again, or use your password.",
  startAgain: "The sign-in was not completed. Please start again, in this browser.",
  noAccount: "There is no account for your email address here. Please ask your business for an invitation.",
  providerUnverified:
    "The provider has not confirmed your email address. Confirm it there, or sign in with your password.",
  providerDown:
    "The provider cannot be reached at the moment. Please try again later, or sign in with your password.",
  signedIn: "You are signed in",
  account: "Account",
  business: "Business",
  chooseBusiness: "Choose the business",
  changeBusiness: "Change the business",
  firstBusiness: "Name your business",
  createBusiness: "Create the business",
  office: "Open the office",
  jobs: "Your jobs",
  signOut: "Sign out"
}

/** The words of the account's pages. */
export type AccountWords = SharedWords & Readonly<Record<keyof typeof own, string>>

const words: AccountWords = { ...shared, ...own }
export default words
