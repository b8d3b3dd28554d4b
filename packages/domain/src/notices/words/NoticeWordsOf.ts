/** The default words of notices by their language. */
import type { NoticeKind } from "../rules/NoticeKind.ts"
import type { NoticeLanguage, NoticeTemplate } from "../rules/NoticeSettings.ts"
import { dutch } from "./Dutch.ts"
import { english } from "./English.ts"
import { french } from "./French.ts"
import { german } from "./German.ts"
import { greek } from "./Greek.ts"
import { italian } from "./Italian.ts"
import type { NoticeWords } from "./NoticeWords.ts"
import { polish } from "./Polish.ts"
import { portuguese } from "./Portuguese.ts"
import { spanish } from "./Spanish.ts"
import { ukrainian } from "./Ukrainian.ts"

const words: Readonly<Record<NoticeLanguage, NoticeWords>> = {
  de: german,
  el: greek,
  en: english,
  es: spanish,
  fr: french,
  it: italian,
  nl: dutch,
  pl: polish,
  pt: portuguese,
  uk: ukrainian
}

/** The template of a kind for a business that has none of its own in that language. */
export const defaultTemplate = (kind: NoticeKind, language: NoticeLanguage): NoticeTemplate => {
  const { greeting, [kind]: sentence } = words[language]
  return {
    kind,
    language,
    subject: sentence,
    text: `${greeting}\n\n${sentence}\n\n{{details}}\n\n{{link}}\n\n{{business_name}}`,
    short: `{{business_name}}: ${sentence} {{link}}`
  }
}
