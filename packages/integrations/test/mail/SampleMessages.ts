import type { MailMessage, MailStamp } from "@livery/domain"
import { DateTime } from "effect"

/** Messages that a faulty mailer would damage: other scripts, long lines, text that looks like SMTP or a header. */
export const messages: ReadonlyArray<MailMessage & { readonly title: string }> = [
  {
    title: "plain",
    to: "ann@example.com",
    subject: "Your code",
    text: "Your code is 123456.\n\nIt lives one hour.\n"
  },
  {
    title: "beyond ASCII",
    to: "ann@example.com",
    subject: "Überführung nach 東京 🚕",
    text: "Grüße aus Zürich\n東京で会いましょう 🚕\n"
  },
  {
    title: "long lines and a long subject",
    to: "ann@example.com",
    subject: "word ".repeat(60).trim(),
    text: `${"x".repeat(3000)}\n${"long é ".repeat(500)}\n`
  },
  {
    title: "lines that look like SMTP and like headers",
    to: "ann@example.com",
    subject: "Bcc: eve@example.com",
    text: ".\n..\nFrom here on\nBcc: eve@example.com\n\n.\nQUIT\nMAIL FROM:<eve@example.com>\n"
  },
  {
    title: "format characters of Persian, Hebrew and emoji",
    to: "ann@example.com",
    subject:
      "علی\u200cرضا لیموزین, \u200fמוניות הכהן\u200f, \u{1F468}\u200d\u{1F469}\u200d\u{1F467} Cars invites you to drive",
    text: "علی\u200cرضا \u{1F468}\u200d\u{1F469}\u200d\u{1F467}\n"
  },
  {
    title: "plain text and HTML",
    to: "ann@example.com",
    subject: "Both",
    text: "Grüße\n",
    html: "<p>Grüße</p>"
  },
  { title: "empty text", to: "ann@example.com", subject: "Nothing", text: "" },
  { title: "an address with a plus", to: "ann+trips@sub.example.com", subject: "Plus", text: "x\n" }
]

/** Messages that must be refused: each one would add a recipient or a header. */
export const forged: ReadonlyArray<MailMessage & { readonly title: string }> = [
  { title: "a line break in the address", to: "ann@example.com\r\nBcc: eve@example.com" },
  { title: "a line feed at the address's end", to: "ann@example.com\n" },
  { title: "two addresses", to: "ann@example.com, eve@example.com" },
  { title: "two addresses by a semicolon", to: "ann@example.com;eve@example.com" },
  { title: "an address with a name", to: "Ann <ann@example.com>" },
  { title: "an address with two ats", to: "ann@example.com@evil.example.com" },
  { title: "a group", to: "all: ann@example.com, eve@example.com;" },
  { title: "a comment", to: "ann@example.com(eve@example.com)" },
  { title: "a quoted part", to: '"ann eve"@example.com' },
  { title: "a space", to: "ann @example.com" },
  { title: "a NUL", to: "ann@example.com\u0000" },
  { title: "a line separator in the address", to: "ann\u2028@example.com" },
  { title: "no address", to: "" },
  { title: "no domain", to: "ann@" },
  { title: "a line break in the subject", subject: "Hello\r\nBcc: eve@example.com" },
  { title: "a line feed in the subject", subject: "Hello\nBcc: eve@example.com" },
  { title: "a carriage return in the subject", subject: "Hello\rBcc: eve@example.com" },
  { title: "a next-line in the subject", subject: "Hello\u0085Bcc: eve@example.com" },
  { title: "a paragraph separator in the subject", subject: "Hello\u2029Bcc: eve@example.com" },
  { title: "two addresses for replies", reply_to: "ann@example.com, eve@example.com" },
  { title: "a line break in the address for replies", reply_to: "ann@example.com\r\nBcc: eve@example.com" },
  {
    title: "a line break in the name of an attachment",
    attachments: [
      {
        file_name: "a.pdf\r\nBcc: eve@example.com",
        content_type: "application/pdf",
        content: new Uint8Array()
      }
    ]
  }
].map((message) => ({ to: "ann@example.com", subject: "Hello", text: "x", ...message }))

/** The identity of a test's message. */
export const stamp: MailStamp = {
  id: "0b7cb9ff-6d1c-4a4b-8a8e-0f1d2c3b4a59",
  date: DateTime.makeUnsafe("2026-11-20T09:30:00Z")
}
