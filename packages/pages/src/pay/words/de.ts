import shared from "../../words/de.ts"
import type { PayWords } from "./en.ts"

const words: PayWords = {
  ...shared,
  title: "Rechnung {number}",
  item: "Position",
  amount: "Betrag",
  subtotal: "Zwischensumme",
  tax: "Steuer",
  total: "Summe",
  credit: "Gutgeschrieben",
  alreadyPaid: "Schon bezahlt",
  due: "Zu zahlen",
  dueDate: "Fällig am",
  pdf: "PDF öffnen",
  call: "Zentrale anrufen",
  open: "Offen",
  partial: "Teilweise bezahlt",
  paid: "Bezahlt",
  overdue: "Überfällig",
  void: "Storniert",
  credited: "Gutgeschrieben",
  paidNext: "Vielen Dank. Es ist nichts mehr zu zahlen.",
  voidNext: "Diese Rechnung wurde storniert. Bitte bezahlen Sie sie nicht.",
  creditedNext: "Diese Rechnung wurde vollständig gutgeschrieben. Es ist nichts zu zahlen.",
  byCard: "Mit Karte bezahlen",
  payNow: "{amount} bezahlen",
  declined: "Die Zahlung ist nicht gelungen",
  processing: "Ihre Zahlung wird verarbeitet",
  processingNext: "Sie müssen nichts tun. Diese Seite zeigt gleich das Ergebnis.",
  testOnly: "Das ist ein Test. Es fließt kein Geld.",
  testCard: "Testkarte",
  testDeclined: "wird abgelehnt",
  transfer: "Per Überweisung bezahlen",
  holder: "Kontoinhaber",
  reference: "Verwendungszweck",
  code: "Mit Ihrer Banking-App scannen",
  noWay: "Bitte fragen Sie die Zentrale, wie Sie bezahlen können.",
  goneHelp:
    "Bitte öffnen Sie den Link Ihrer Rechnung noch einmal oder fragen Sie die Zentrale nach einem neuen."
}
export default words
