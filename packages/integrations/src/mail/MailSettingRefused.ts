import { Schema } from "effect"

/** A mail setting is wrong. The error does not contain the value: the address of a mail server contains its password. */
export class MailSettingRefused extends Schema.TaggedError<MailSettingRefused>()("MailSettingRefused", {
  setting: Schema.Literals(["SMTP_URL", "MAIL_FROM"]),
  reason: Schema.String
}) {
  override get message() {
    return `${this.setting} ${this.reason}`
  }
}
