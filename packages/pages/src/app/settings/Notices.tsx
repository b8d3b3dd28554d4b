/** Which notices are sent, by which channels, and their words with a preview. */
import type { NoticeSettings } from "@livery/client"
import type { JSX } from "preact"
import { useEffect, useState } from "preact/hooks"
import { Field, fieldError } from "../../components/Field.tsx"
import { Form } from "../../components/Form.tsx"
import { api } from "../Api.ts"
import { mayWrite } from "../Member.ts"
import { attempt } from "../parts/Files.ts"
import { atFields } from "../parts/AtFields.ts"
import { Loaded, type Reading, useReading } from "../parts/Loaded.tsx"
import { type Changes, RecordCard } from "../parts/Record.tsx"
import { changed } from "../Undo.ts"
import { TextGateway } from "./gateway/TextGateway.tsx"
import type { SettingsWords } from "./words/en.ts"

type Kind = keyof NoticeSettings["channels"]
type Template = NoticeSettings["templates"][number]

const ofCustomers = [
  "booked",
  "changed",
  "cancelled",
  "reminder",
  "driver_assigned",
  "on_the_way",
  "arrived",
  "done"
] as const satisfies ReadonlyArray<Kind>

const ofDrivers = [
  "driver_new",
  "driver_changed",
  "driver_cancelled",
  "driver_message",
  "driver_declined"
] as const satisfies ReadonlyArray<Kind>

const kinds: ReadonlyArray<Kind> = [...ofCustomers, ...ofDrivers]

/** The languages that notices have words in, by their own names. */
const languages: ReadonlyArray<readonly [Template["language"], string]> = [
  ["de", "Deutsch"],
  ["en", "English"],
  ["es", "Español"],
  ["fr", "Français"],
  ["it", "Italiano"],
  ["nl", "Nederlands"],
  ["pl", "Polski"],
  ["pt", "Português"],
  ["el", "Ελληνικά"],
  ["uk", "Українська"]
]

const offered = (kind: Kind) =>
  kind.startsWith("driver_") && kind !== "driver_assigned" && kind !== "driver_declined"
    ? ["push,mail", "push", "mail", "text", "push,text"]
    : ["mail", "text", "text,mail"]

const channelText = (channels: string, words: SettingsWords) =>
  channels === ""
    ? words.off
    : channels
        .split(",")
        .map((channel) => words[`channel_${channel}` as keyof SettingsWords])
        .join(words.elseChannel)

type Props = {
  readonly reading: Reading<NoticeSettings>
  readonly settings: NoticeSettings
  readonly words: SettingsWords
}

const save = async ({ reading, settings, words }: Props, body: object) => {
  const after = await api.notices.update(body, { ifMatch: settings })
  reading.set(after)
  changed(words.saved, words, async () => {
    const { channels, quiet_minutes, reminder_minutes, templates } = settings
    reading.set(
      await api.notices.update({ channels, quiet_minutes, reminder_minutes, templates }, { ifMatch: after })
    )
  })
}

/** The kinds as the request has them: the channels of a kind that was changed, in their order. */
const bodyOf = (changes: Changes) => {
  const { quiet_minutes, reminder_minutes, ...switched } = changes
  const times = Object.fromEntries(
    Object.entries({ quiet_minutes, reminder_minutes }).filter(([, value]) => value !== undefined)
  )
  const channels = Object.fromEntries(
    Object.entries(switched).map(([kind, value]) => [kind, value === null ? [] : String(value).split(",")])
  )
  return { ...times, ...(Object.keys(channels).length === 0 ? {} : { channels }) }
}

const Switches = ({
  of,
  title,
  ...props
}: Props & { readonly of: ReadonlyArray<Kind>; readonly title: string }) => {
  const { reading, settings, words } = props
  const times =
    of === ofCustomers
      ? [
          {
            name: "reminder_minutes",
            label: words.reminderMinutes,
            kind: "number" as const,
            value: String(settings.reminder_minutes),
            isRequired: true
          },
          {
            name: "quiet_minutes",
            label: words.quietMinutes,
            hint: words.quietHint,
            kind: "number" as const,
            value: String(settings.quiet_minutes),
            isRequired: true
          }
        ]
      : []
  const fields = [
    ...of.map((kind) => {
      const value = settings.channels[kind].join(",")
      const options = offered(kind)
      return {
        name: kind,
        label: words[`notice_${kind}`],
        value,
        shown: channelText(value, words),
        options: [...new Set(value === "" ? options : [...options, value])].map(
          (each) => [each, channelText(each, words)] as const
        )
      }
    }),
    ...times
  ]
  return (
    <RecordCard
      title={title}
      fields={fields}
      mayEdit={mayWrite("settings")}
      words={words}
      onReload={reading.reload}
      onSave={async (changes) => {
        try {
          await save(props, bodyOf(changes))
        } catch (error) {
          throw atFields(
            error,
            fields.map(({ name }) => name),
            (path) => path.replace("channels.", "")
          )
        }
      }}
    />
  )
}

interface Texts {
  readonly subject: string
  readonly text: string
  readonly short: string
}

/** How long typing pauses before the preview is read, in milliseconds. */
const pause = 400

/** What the addressee reads. Without an own text, it is the usual one. */
const usePreview = (kind: Kind, language: Template["language"], texts: Texts | undefined) => {
  const [preview, setPreview] = useState<
    (Texts & { readonly segments: number; readonly encoding: string }) | undefined
  >(undefined)
  const key = JSON.stringify([kind, language, texts])
  useEffect(() => {
    let isCurrent = true
    const timer = setTimeout(() => {
      const isWhole = texts !== undefined && Object.values(texts).every((text) => text.trim() !== "")
      api.notices.preview({ kind, language, ...(isWhole ? { template: texts } : {}) }).then(
        (read) => {
          if (isCurrent) setPreview(read)
        },
        () => undefined
      )
    }, pause)
    return () => {
      isCurrent = false
      clearTimeout(timer)
    }
  }, [key])
  return preview
}

const Editor = ({
  kind,
  language,
  ...props
}: Props & { readonly kind: Kind; readonly language: Template["language"] }) => {
  const { settings, words } = props
  const isSame = (one: Template) => one.kind === kind && one.language === language
  const stored = settings.templates.find(isSame)
  const [typed, setTyped] = useState<Texts | undefined>(stored)
  const preview = usePreview(kind, language, typed)
  const others = settings.templates.filter((one) => !isSame(one))
  const texts = typed ?? { subject: "", text: "", short: "" }
  const index = others.length
  const set = (change: Partial<Texts>) => setTyped({ ...texts, ...change })
  return (
    <>
      {mayWrite("settings") && (
        <Form
          submit={words.save}
          words={words}
          onSubmit={async () => {
            const template = {
              kind,
              language,
              subject: texts.subject,
              text: texts.text,
              short: texts.short
            }
            try {
              await save(props, { templates: [...others, template] })
            } catch (error) {
              throw atFields(error, ["subject", "text", "short"], (path) =>
                path.replace(`templates.${index}.`, "")
              )
            }
          }}
        >
          {(failure) => (
            <>
              <p class="small muted">{words.noticePlaceholders}</p>
              <Field label={words.subject} error={fieldError(failure, "subject", words)}>
                {(control) => (
                  <input
                    {...control}
                    dir="auto"
                    value={texts.subject}
                    onInput={({ currentTarget }) => set({ subject: currentTarget.value })}
                  />
                )}
              </Field>
              <Field label={words.text} error={fieldError(failure, "text", words)}>
                {(control) => (
                  <textarea
                    {...control}
                    dir="auto"
                    value={texts.text}
                    onInput={({ currentTarget }) => set({ text: currentTarget.value })}
                  />
                )}
              </Field>
              <Field label={words.shortText} error={fieldError(failure, "short", words)}>
                {(control) => (
                  <textarea
                    {...control}
                    dir="auto"
                    value={texts.short}
                    onInput={({ currentTarget }) => set({ short: currentTarget.value })}
                  />
                )}
              </Field>
            </>
          )}
        </Form>
      )}
      {stored !== undefined && mayWrite("settings") && (
        <button
          type="button"
          class="button"
          onClick={() =>
            void attempt(async () => {
              await save(props, { templates: others })
              setTyped(undefined)
            }, words)
          }
        >
          {words.backToUsual}
        </button>
      )}
      {preview !== undefined && (
        <section class="preview" aria-label={words.preview} aria-live="polite">
          <p class="small muted">{words.preview}</p>
          <p dir="auto">
            <strong>{preview.subject}</strong>
          </p>
          <p dir="auto" class="letter">
            {preview.text}
          </p>
          <p class="small muted">{words.shortText}</p>
          <p dir="auto">{preview.short}</p>
          <p class="small muted">
            {words.segments}: {preview.segments} ({preview.encoding.toUpperCase()})
          </p>
        </section>
      )}
    </>
  )
}

const Templates = (props: Props): JSX.Element => {
  const { words } = props
  const [kind, setKind] = useState<Kind>("booked")
  const [language, setLanguage] = useState<Template["language"]>("en")
  return (
    <section class="card record wide" aria-label={words.wordings}>
      <h2>{words.wordings}</h2>
      <div class="form-grid">
        <Field label={words.notice}>
          {(control) => (
            <select
              {...control}
              value={kind}
              onChange={({ currentTarget }) =>
                setKind(kinds.find((it) => it === currentTarget.value) ?? "booked")
              }
            >
              {kinds.map((each) => (
                <option key={each} value={each}>
                  {words[`notice_${each}`]}
                </option>
              ))}
            </select>
          )}
        </Field>
        <Field label={words.language}>
          {(control) => (
            <select
              {...control}
              value={language}
              onChange={({ currentTarget }) =>
                setLanguage(languages.find(([it]) => it === currentTarget.value)?.[0] ?? "en")
              }
            >
              {languages.map(([code, name]) => (
                <option key={code} value={code} lang={code}>
                  {name}
                </option>
              ))}
            </select>
          )}
        </Field>
      </div>
      <Editor key={`${kind} ${language}`} kind={kind} language={language} {...props} />
    </section>
  )
}

export const Notices = ({ words }: { readonly words: SettingsWords }): JSX.Element => {
  const reading = useReading("notices", () => api.notices.read())
  return (
    <Loaded reading={reading} words={words}>
      {(settings) => {
        const props = { reading, settings, words }
        return (
          <>
            <Switches {...props} of={ofCustomers} title={words.noticesToCustomers} />
            <Switches {...props} of={ofDrivers} title={words.noticesToDrivers} />
            <Templates {...props} />
            <TextGateway words={words} />
          </>
        )
      }}
    </Loaded>
  )
}
