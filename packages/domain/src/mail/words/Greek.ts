import type { LetterWords } from "./LetterWords.ts"

export const greek: LetterWords = {
  invoice: "Τιμολόγιο {{number}} από {{business_name}}",
  attached: "Επισυνάπτεται το τιμολόγιο {{number}} ύψους {{amount}}.",
  due: "Οφείλονται {{amount}}.",
  dueOn: "Οφείλονται {{amount}} έως τις {{date}}.",
  nothingDue: "Δεν οφείλεται τίποτα.",
  payOnline: "Πληρωμή στο διαδίκτυο: {{link}}",
  reminder: "Υπενθύμιση: τιμολόγιο {{number}} από {{business_name}}",
  dueSince: "Για το τιμολόγιο {{number}} οφείλονται {{amount}} από τις {{date}}.",
  alreadyPaid: "Αν έχετε ήδη πληρώσει, παρακαλούμε αγνοήστε αυτό το μήνυμα.",
  statement: "Κατάσταση λογαριασμού από {{business_name}}",
  statementAttached:
    "Επισυνάπτεται η κατάσταση του λογαριασμού σας από {{from}} έως {{to}}. Υπόλοιπο: {{amount}}.",
  quote_sent: {
    subject: "Προσφορά {{reference}} από {{business_name}}",
    text: "Αγαπητέ πελάτη {{customer_name}},\n\nΗ προσφορά μας ύψους {{total}} βρίσκεται εδώ:\n{{link}}\n\n{{business_name}}"
  },
  quote_accepted: {
    subject: "Η προσφορά {{reference}} έγινε αποδεκτή",
    text: "Αγαπητέ πελάτη {{customer_name}},\n\nΚαταγράψαμε την αποδοχή της προσφοράς {{reference}} ύψους {{total}}.\n\n{{business_name}}"
  },
  booking_confirmed: {
    subject: "Η κράτηση {{reference}} επιβεβαιώθηκε",
    text: "Αγαπητέ πελάτη {{customer_name}},\n\nΗ κράτησή σας {{reference}} επιβεβαιώθηκε:\n{{description}}\n{{starts_at}}\n{{total}}\n\nΤο συνημμένο αρχείο την προσθέτει στο ημερολόγιό σας.\n\n{{business_name}}"
  },
  booking_cancelled: {
    subject: "Η κράτηση {{reference}} ακυρώθηκε",
    text: "Αγαπητέ πελάτη {{customer_name}},\n\nΗ κράτησή σας {{reference}}, {{description}}, {{starts_at}}, ακυρώθηκε.\n\n{{business_name}}"
  }
}
