/** The wording of the emails to customers, each with a preview of what the customer reads. */
import type { Settings } from "@livery/client"
import type { JSX } from "preact"
import { useState } from "preact/hooks"
import { fill } from "../../i18n/Format.ts"
import { money } from "../Formats.ts"
import type { Reading } from "../parts/Loaded.tsx"
import { Card, type CardKind } from "./Card.tsx"
import type { SettingsWords } from "./words/en.ts"

type Wording = Settings["email_wording"]
type EmailName = keyof Wording

const names = ["quote_sent", "quote_accepted", "booking_confirmed", "booking_cancelled"] as const

/** A text with the values of an example. */
const example = (text: string, settings: Settings, words: SettingsWords) => {
  const values: Readonly<Record<string, string>> = {
    business_name: settings.business_name,
    customer_name: words.exampleName,
    reference: "LIV-2041",
    description: words.exampleRide,
    starts_at: words.exampleTime,
    total: money(120),
    link: `${location.origin}/…`
  }
  return text.replaceAll(/\{\{\s*(\w+)\s*\}\}/gu, (whole, name: string) => values[name] ?? whole)
}

const languages = ["de", "el", "en", "es", "fr", "it", "nl", "pl", "pt", "uk"] as const
type Language = (typeof languages)[number]

/** The language of the business's letters. */
const languageOf = ({ locale }: Settings): Language =>
  languages.find((language) => language === (locale ?? "").toLowerCase().split("-")[0]) ?? "en"

/** The wording of a level of reminders in the language of the business. */
const reminderKind = (index: number): CardKind => ({
  title: (words) => fill(words.reminderLevel, { level: String(index + 1) }),
  fields: (settings, words) => {
    const wording = settings.dunning.levels[index]?.wordings?.[languageOf(settings)]
    return [
      {
        name: "subject",
        label: words.subject,
        value: wording?.subject ?? "",
        shown: wording?.subject ?? words.usualWording
      },
      {
        name: "text",
        label: words.text,
        kind: "area",
        hint: words.reminderPlaceholders,
        value: wording?.text ?? "",
        shown: wording?.text ?? ""
      }
    ]
  },
  fieldOf: (path) => path.replace(/^dunning\..*\.(?=subject|text)/u, ""),
  body: (changes, settings) => {
    const language = languageOf(settings)
    const { [language]: before, ...others } = settings.dunning.levels[index]?.wordings ?? {}
    const next = { subject: "", text: "", ...before, ...changes }
    const isUsual = !next.subject && !next.text
    const wordings = isUsual
      ? others
      : { ...others, [language]: { subject: next.subject ?? "", text: next.text ?? "" } }
    const levels = settings.dunning.levels.map((level, at) => (at === index ? { ...level, wordings } : level))
    return { dunning: { ...settings.dunning, levels } }
  }
})

/** The wording without an email that has neither subject nor text: the usual one is sent then. */
const kindOf = (name: EmailName): CardKind => ({
  title: (words) => words[`email_${name}`],
  fields: ({ email_wording }, words) => [
    {
      name: "subject",
      label: words.subject,
      value: email_wording[name]?.subject ?? "",
      shown: email_wording[name]?.subject ?? words.usualWording
    },
    {
      name: "text",
      label: words.text,
      kind: "area",
      hint: words.placeholders,
      value: email_wording[name]?.text ?? "",
      shown: ""
    }
  ],
  fieldOf: (path) => path.replace(`email_wording.${name}.`, ""),
  body: (changes, { email_wording }) => {
    const next = { subject: "", text: "", ...email_wording[name], ...changes }
    const isUsual = !next.subject && !next.text
    return {
      email_wording: {
        ...email_wording,
        [name]: isUsual ? null : { subject: next.subject ?? "", text: next.text ?? "" }
      }
    }
  }
})

const Email = ({
  name,
  reading,
  settings,
  words
}: {
  readonly name: EmailName
  readonly reading: Reading<Settings>
  readonly settings: Settings
  readonly words: SettingsWords
}) => {
  const stored = settings.email_wording[name]
  const [typed, setTyped] = useState<Readonly<Record<string, string>>>({})
  const subject = typed["subject"] ?? stored?.subject ?? ""
  const text = typed["text"] ?? stored?.text ?? ""
  return (
    <div
      class="email"
      onInput={({ target }) => {
        if (target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement)
          setTyped({ ...typed, [target.name]: target.value })
      }}
    >
      <Card kind={kindOf(name)} reading={reading} settings={settings} words={words} />
      {(subject !== "" || text !== "") && (
        <section class="card record preview" aria-label={`${words.preview}: ${words[`email_${name}`]}`}>
          <p class="small muted">{words.preview}</p>
          <p dir="auto">
            <strong>{example(subject, settings, words)}</strong>
          </p>
          <p dir="auto" class="letter">
            {example(text, settings, words)}
          </p>
        </section>
      )}
    </div>
  )
}

export const Emails = (props: {
  readonly reading: Reading<Settings>
  readonly settings: Settings
  readonly words: SettingsWords
}): JSX.Element => (
  <>
    {names.map((name) => (
      <Email key={name} name={name} {...props} />
    ))}
    {props.settings.dunning.levels.map((level, index) => (
      <Card key={level.days} kind={reminderKind(index)} {...props} />
    ))}
  </>
)
