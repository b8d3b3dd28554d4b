/**
 * Converts a message to nodemailer's options. A message goes to exactly one recipient and has exactly the headers that are
 * set here: an address or a subject that could add a recipient or a header is refused.
 */
import { type MailMessage, MailRefused, type MailStamp } from "@livery/domain"
import { DateTime, Effect } from "effect"
import addressparser from "nodemailer/lib/addressparser"
import type { MailComposerOptions } from "nodemailer/lib/mail-composer"
import { MailSettingRefused } from "./MailSettingRefused.ts"

/** The sender of messages: a display name, which may be empty, and an address. */
export interface Sender {
  readonly name: string
  readonly address: string
}

/**
 * Control characters, lone surrogates, and the line and paragraph separators. Format characters are allowed, because names in
 * Persian, Hebrew and emoji need them; nodemailer encodes the header.
 */
const unprintable = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/u

/** A single mailbox: nothing that a mail program could read as a list, a comment, a name or a route. */
const mailbox = /^[^\s\p{C}@"(),:;<>[\\\]]{1,64}@[^\s\p{C}@"(),:;<>[\\\]]{1,253}$/u

/** Parses the sender: `no-reply@example.com` or `Example Cars <no-reply@example.com>`. */
export const readSender = Effect.fnUntraced(function* (
  text: string
): Effect.fn.Return<Sender, MailSettingRefused> {
  const [parsed] = unprintable.test(text) ? [] : addressparser(text, { flatten: true })
  // Of several addresses, the parser silently keeps one. So the address must be the whole text, or all but the name.
  const bare = text.trim()
  const bracketed = text.slice(text.lastIndexOf("<")).trim()
  const isSingle = parsed !== undefined && (bare === parsed.address || bracketed === `<${parsed.address}>`)
  if (!isSingle || !mailbox.test(parsed.address)) {
    return yield* new MailSettingRefused({ setting: "MAIL_FROM", reason: "is not one email address" })
  }
  return { name: parsed.name, address: parsed.address }
})

/**
 * A message as nodemailer's options, with its stamp and more headers; `MailRefused` if its recipient is not exactly one
 * mailbox.
 */
export const compose = Effect.fnUntraced(function* (
  from: Sender,
  message: MailMessage,
  stamp: MailStamp,
  moreHeaders: Readonly<Record<string, string>> = {}
): Effect.fn.Return<MailComposerOptions, MailRefused> {
  if (!mailbox.test(message.to)) {
    return yield* new MailRefused({ reason: "the recipient is not one email address" })
  }
  if (message.reply_to !== undefined && !mailbox.test(message.reply_to)) {
    return yield* new MailRefused({ reason: "the address for replies is not one email address" })
  }
  if (message.attachments?.some(({ file_name }) => unprintable.test(file_name)) === true) {
    return yield* new MailRefused({ reason: "the name of an attachment has a control character" })
  }
  if (message.from_name !== undefined && unprintable.test(message.from_name)) {
    return yield* new MailRefused({ reason: "the sender's name has a control character" })
  }
  if (unprintable.test(message.subject)) {
    return yield* new MailRefused({ reason: "the subject has a line break or another control character" })
  }
  return {
    // Addresses are passed as objects and in the envelope, so that nodemailer does not parse them again.
    from: { name: message.from_name ?? from.name, address: from.address },
    to: { name: "", address: message.to },
    envelope: { from: from.address, to: [message.to] },
    subject: message.subject,
    text: message.text,
    ...(message.html === undefined ? {} : { html: message.html }),
    ...(message.reply_to === undefined ? {} : { replyTo: { name: "", address: message.reply_to } }),
    attachments: (message.attachments ?? []).map(({ content, content_type, file_name }) => ({
      filename: file_name,
      contentType: content_type,
      content: Buffer.from(content)
    })),
    messageId: `<${stamp.id}@${from.address.slice(from.address.lastIndexOf("@") + 1)}>`,
    date: DateTime.toDateUtc(stamp.date),
    // Asks the recipient's mail server not to reply automatically (RFC 3834).
    headers: { "Auto-Submitted": "auto-generated", ...moreHeaders },
    xMailer: false,
    disableFileAccess: true,
    disableUrlAccess: true
  }
})
