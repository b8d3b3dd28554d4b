/** The words of the payment page. The other languages have the same keys. */
import shared, { type SharedWords } from "../../words/en.ts"

const words = {
  ...shared,
  title: "Invoice {number}",
  item: "Item",
  amount: "Amount",
  subtotal: "Subtotal",
  net: "Net amount",
  tax: "Tax",
  total: "Total",
  credit: "Credited",
  alreadyPaid: "Already paid",
  due: "To pay",
  dueDate: "Due on",
  pdf: "Open the PDF",
  call: "Call the office",
  open: "Open",
  partial: "Partly paid",
  paid: "Paid",
  overdue: "Overdue",
  void: "Cancelled",
  credited: "Credited",
  paidNext: "Thank you. Nothing more is to be paid.",
  voidNext: "This invoice was cancelled. Please do not pay it.",
  creditedNext: "This invoice was credited in full. Nothing is to be paid.",
  byCard: "Pay by card",
  payNow: "Pay {amount}",
  declined: "The payment did not go through",
  processing: "Your payment is being processed",
  processingNext: "You need not do anything. This page shows the result in a moment.",
  late: "We have no confirmation of your payment yet",
  lateNext:
    "It can still arrive in some minutes. Before you pay again, please check your account or call the office.",
  testOnly: "This is a test. No money moves.",
  testCard: "Test card",
  testDeclined: "declined",
  transfer: "Pay by bank transfer",
  holder: "Account holder",
  reference: "Reference",
  code: "Scan with your banking app",
  noWay: "Please ask the office how to pay.",
  payPart: "Amount to pay now",
  partHint: "You may pay a part of it.",
  wrongAmount: "Enter an amount from {least} to {most}.",
  unclearAmount: "Please write the amount as in {example}.",
  goneHelp: "Please open the link of your invoice once more, or ask the office for a new one."
}

/** The words of the payment page. */
export interface PayWords
  extends SharedWords, Readonly<Record<Exclude<keyof typeof words, keyof SharedWords>, string>> {}

export default words as PayWords
