/** The words of customers, in English. */
import app, { type AppWords } from "../../words/en.ts"

const own = {
  preferredDrivers: "Preferred",
  refusedDrivers: "Refused",
  preferred: "Preferred",
  refused: "Refused",
  driversHint:
    "The plan of a day gives preferred drivers the customer's trips where that costs little more, and refused drivers none.",
  newCustomer: "New customer",
  whichNotices: "Which notices",
  asBusiness: "As the business has set",
  asChosen: "As chosen here",
  byWhich: "By",
  address: "Address",
  country: "Country",
  countryHint: "Two letters, such as CH or DE",
  vatNumber: "VAT number",
  newTrip: "New trip",
  noTrips: "This customer has no trips.",
  route: "From → to",
  newInvoice: "New invoice",
  noInvoices: "This customer has no invoices.",
  draft: "Draft",
  due: "Due",
  open: "Open",
  language: "Language of letters",
  languageHint: "Such as de or fr-CH; empty: the language of the business",
  statement: "Statement",
  statementMake: "Make it",
  statementForm: "As",
  asPdf: "PDF",
  asCsv: "CSV",
  asEmail: "Email with the PDF",
  statementTo: "Email to, if not the customer’s address",
  statementTaken: "The statement to {to} is on its way.",
  fromDay: "From day",
  toDay: "To day",
  hasCredit: "Credit: {amount}",
  firstCustomer: "Add your first customer, or book a trip: its passenger can become one."
}

export type CustomersWords = AppWords & Readonly<Record<keyof typeof own, string>>

const words: CustomersWords = { ...app, ...own }
export default words
