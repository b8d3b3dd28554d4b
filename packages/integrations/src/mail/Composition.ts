/**
 * From a letter to what nodemailer sends. Whatever a letter holds, it goes to one recipient and has the headers
 * that are written here and no others: an address or a subject that could add one is refused.
 */
import { type Letter, MailRefused } from "@livery/domain"
import { Clock, Effect } from "effect"
import addressparser from "nodemailer/lib/addressparser"
import type { MailComposerOptions } from "nodemailer/lib/mail-composer"
import { MailSettingRefused } from "./MailSettingRefused.ts"

/** Who a letter is from: a name for people, which may be empty, and an address. */
export interface Sender {
  readonly name: string
  readonly address: string
}

/** Control, format and unassigned characters and lone surrogates, and the line and paragraph separators. */
const unprintable = /[\p{C}\p{Zl}\p{Zp}]/u

/** One plain mailbox: nothing that a mail program would read as a list, a comment, a name or a route. */
const mailbox = /^[^\s\p{C}@"(),:;<>[\\\]]{1,64}@[^\s\p{C}@"(),:;<>[\\\]]{1,253}$/u

/** Reads `MAIL_FROM`: `no-reply@example.com` or `Example Cars <no-reply@example.com>`. */
export const readSender = Effect.fnUntraced(function* (
  text: string
): Effect.fn.Return<Sender, MailSettingRefused> {
  const [found] = unprintable.test(text) ? [] : addressparser(text, { flatten: true })
  // The parser keeps one of several addresses without a word: it has to be the whole text, or all but the name.
  const whole = [text.trim(), text.slice(text.lastIndexOf("<")).trim()]
  const alone = found !== undefined && (whole[0] === found.address || whole[1] === `<${found.address}>`)
  if (!alone || !mailbox.test(found.address)) {
    return yield* new MailSettingRefused({ setting: "MAIL_FROM", reason: "is not one email address" })
  }
  return { name: found.name, address: found.address }
})

/** A letter as nodemailer takes it, dated by `Clock`; `MailRefused` if it cannot go to exactly one mailbox. */
export const compose = Effect.fnUntraced(function* (
  from: Sender,
  letter: Letter
): Effect.fn.Return<MailComposerOptions, MailRefused> {
  if (!mailbox.test(letter.to)) {
    return yield* new MailRefused({ reason: "the recipient is not one email address" })
  }
  if (unprintable.test(letter.subject)) {
    return yield* new MailRefused({ reason: "the subject has a line break or another unprintable character" })
  }
  return {
    // As objects and as an envelope, so that no address is parsed out of a text again.
    from: { ...from },
    to: { name: "", address: letter.to },
    envelope: { from: from.address, to: [letter.to] },
    subject: letter.subject,
    text: letter.text,
    date: new Date(yield* Clock.currentTimeMillis),
    // Asks the recipient's machine not to answer with an out-of-office letter (RFC 3834).
    headers: { "Auto-Submitted": "auto-generated" },
    xMailer: false,
    disableFileAccess: true,
    disableUrlAccess: true
  }
})
