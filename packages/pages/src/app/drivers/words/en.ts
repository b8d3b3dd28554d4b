/** The words of drivers, in English. */
import app, { type AppWords } from "../../words/en.ts"

const own = {
  home: "Home",
  homeAddress: "Where the driver's days start and end",
  homeHint: "Choose a suggested address, so that the plan of a day knows where it is.",
  noHome: "No home is known. The plan of a day then counts no drive from home.",
  homeWithoutPoint: "The place of this address is not known, so the plan of a day does not count with it.",
  newDriver: "New driver",
  sendMessage: "Send a message",
  send: "Send",
  message: "Message",
  messageSent: "The message is on its way",
  notReached: "This driver has neither a browser for push messages nor an email address",
  licence: "Licence number",
  licenceExpires: "Licence expires",
  ownCar: "Own car",
  invite: "Invite to an account",
  invited: "An invitation was sent to {email}",
  firstDriver: "Add your first driver. Jobs can be sent by link, without an account.",
  absences: "Absences",
  newAbsence: "New absence",
  absenceRemoved: "Absence removed",
  absenceClash: "Saved. {count} jobs of this driver fall into this time.",
  addAnyway: "Add anyway",
  kind: "Kind",
  until: "Until",
  monthBefore: "Month before",
  monthAfter: "Month after",
  day_off: "Day off",
  vacation: "Holiday",
  sick: "Sick",
  off_shift: "Off shift",
  other: "Other",
  pay: "Pay",
  newScheme: "New scheme",
  noScheme: "This driver has no pay scheme yet.",
  validFrom: "Valid from",
  share: "Share of the fare in %",
  shareHint: "Of the fare without tolls, gratuity and tax, for example 40",
  perHour: "Per hour",
  flat: "Per trip",
  minimum: "At least, per trip",
  statement: "Statement",
  noPay: "No completed trips on these days.",
  route: "From → to"
}

export type DriversWords = AppWords & Readonly<Record<keyof typeof own, string>>

const words: DriversWords = { ...app, ...own }
export default words
