/** The text of a notice: the template of its kind and language with the facts of the trip. */
import { filled, htmlOf, oneLine } from "../../mail/Template.ts"
import { defaultTemplate } from "../words/NoticeWordsOf.ts"
import type { NoticeKind } from "./NoticeKind.ts"
import type { NoticeLanguage, NoticeTemplate, NoticeValues } from "./NoticeSettings.ts"

/** A notice as its addressee reads it: an email in `subject`, `text` and `html`; other messages in `short`. */
export interface NoticeText {
  readonly subject: string
  readonly text: string
  readonly html: string
  readonly short: string
}

/** The template of a kind in a language: the business's own, or the default one. */
export const templateOf = (
  templates: ReadonlyArray<NoticeTemplate>,
  kind: NoticeKind,
  language: NoticeLanguage
): NoticeTemplate =>
  templates.find((own) => own.kind === kind && own.language === language) ?? defaultTemplate(kind, language)

/** A template with values. Lines of placeholders without a value are left out. */
export const noticeText = (template: NoticeTemplate, values: NoticeValues): NoticeText => {
  const text = filled(template.text, values)
    .replaceAll(/[ \t]+\n/gu, "\n")
    .replaceAll(/\n{3,}/gu, "\n\n")
    .trim()
  return {
    subject: oneLine(filled(template.subject, values)).trim(),
    text: `${text}\n`,
    html: htmlOf(text),
    short: oneLine(filled(template.short, values)).trim()
  }
}
