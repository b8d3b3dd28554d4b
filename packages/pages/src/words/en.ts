/** The words that every screen may need, in English. The other languages have the same keys. */
const words = {
  language: "Language",
  loading: "Loading",
  retry: "Try again",
  close: "Close",
  cancel: "Cancel",
  back: "Back",
  unreachable: "No connection. Check your internet connection, then try again.",
  serverFault: "Something went wrong on our side. Please try again in a moment.",
  unavailable: "This is not possible for a moment. Nothing was changed. Please try again in a few minutes.",
  tooMany: "Too many requests. Please wait a minute, then try again.",
  moved: "This business has moved to {url}. Please sign in there.",
  openMoved: "Open the new address",
  offline: "You are offline. This page updates as soon as you are connected again.",
  gone: "This link does not work any more",
  pageMissing: "This page does not exist",
  pageMissingHelp: "Check the address, or open the link from your message once more.",
  fixFields: "Please check the marked fields.",
  copied: "Link copied",
  zone: "Time zone: {zone}",
  yourTime: "{time} your time",
  required: "Please fill in this field.",
  invalid: "Please check this value.",
  tooShort: "This is too short.",
  tooLong: "This is too long.",
  outOfRange: "This value is outside of what is possible.",
  unknownValue: "Please choose one of the given values.",
  noSuchRecord: "This was not found."
}

export type SharedWords = Readonly<Record<keyof typeof words, string>>
export default words as SharedWords
