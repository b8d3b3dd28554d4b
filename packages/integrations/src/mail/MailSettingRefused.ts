import { Schema } from "effect"

/** A mail setting is wrong. The value is not told: an address of a mail server holds its password. */
export class MailSettingRefused extends Schema.TaggedError<MailSettingRefused>()("MailSettingRefused", {
  setting: Schema.Literals(["SMTP_URL", "MAIL_FROM"]),
  reason: Schema.String
}) {
  override get message() {
    return `${this.setting} ${this.reason}`
  }
}
