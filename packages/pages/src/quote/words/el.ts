import shared from "../../words/el.ts"
import type { QuoteWords } from "./en.ts"

const words: QuoteWords = {
  ...shared,
  title: "Η προσφορά σας",
  offer: "Προσφορά {reference}",
  item: "Διαδρομή",
  amount: "Τιμή",
  total: "Σύνολο",
  from: "Από",
  to: "Προς",
  pickup: "Παραλαβή",
  validUntil: "Ισχύει έως",
  onRequest: "Κατόπιν αιτήματος",
  name: "Το όνομά σας",
  nameHint: "Το όνομά σας, η ώρα και η διεύθυνση της σύνδεσής σας αποθηκεύονται μαζί με την αποδοχή.",
  accept: "Αποδοχή της προσφοράς",
  decline: "Απόρριψη",
  declineTitle: "Απόρριψη αυτής της προσφοράς;",
  reason: "Λόγος (προαιρετικά)",
  accepted: "Αποδεχτήκατε αυτή την προσφορά",
  acceptedNext: "Η εταιρεία {business} κλείνει τώρα τη διαδρομή σας και σας στέλνει επιβεβαίωση.",
  rejected: "Απορρίψατε αυτή την προσφορά",
  rejectedNext: "Αν ήταν λάθος, καλέστε το γραφείο.",
  expired: "Αυτή η προσφορά έληξε",
  expiredNext: "Ζητήστε νέα από το γραφείο.",
  converted: "Η διαδρομή σας έχει κλειστεί",
  convertedNext: "Η εταιρεία {business} έκλεισε ό,τι αποδεχτήκατε. Δεν χρειάζεται να κάνετε κάτι άλλο.",
  call: "Κλήση στο γραφείο",
  goneHelp: "Ίσως το γραφείο σάς έστειλε νεότερη προσφορά. Ανοίξτε τον σύνδεσμο του τελευταίου μηνύματος."
}
export default words
