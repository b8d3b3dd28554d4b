import app from "../../words/de.ts"
import type { CustomersWords } from "./en.ts"

const words: CustomersWords = {
  ...app,
  preferredDrivers: "Bevorzugt",
  refusedDrivers: "Abgelehnt",
  preferred: "Bevorzugt",
  refused: "Abgelehnt",
  driversHint:
    "Der Tagesplan gibt bevorzugten Fahrern die Fahrten des Kunden, wenn das wenig mehr kostet, und abgelehnten Fahrern keine.",
  newCustomer: "Neuer Kunde",
  whichNotices: "Welche Mitteilungen",
  asBusiness: "Wie im Unternehmen eingestellt",
  asChosen: "Wie hier gewählt",
  byWhich: "Über",
  address: "Adresse",
  country: "Land",
  countryHint: "Zwei Buchstaben, etwa CH oder DE",
  vatNumber: "USt-IdNr.",
  newTrip: "Neue Fahrt",
  noTrips: "Dieser Kunde hat keine Fahrten.",
  route: "Von → nach",
  newInvoice: "Neue Rechnung",
  noInvoices: "Dieser Kunde hat keine Rechnungen.",
  draft: "Entwurf",
  due: "Fällig",
  open: "Offen",
  language: "Sprache der Briefe",
  languageHint: "Etwa de oder fr-CH; leer: die Sprache des Betriebs",
  statement: "Kontoauszug",
  statementMake: "Erstellen",
  statementForm: "Als",
  asPdf: "PDF",
  asCsv: "CSV",
  asEmail: "E-Mail mit dem PDF",
  statementTo: "E-Mail an, wenn nicht an die Adresse des Kunden",
  statementTaken: "Der Kontoauszug an {to} ist unterwegs.",
  fromDay: "Von Tag",
  toDay: "Bis Tag",
  hasCredit: "Guthaben: {amount}",
  firstCustomer:
    "Legen Sie Ihren ersten Kunden an, oder buchen Sie eine Fahrt: Der Fahrgast kann einer werden."
}
export default words
