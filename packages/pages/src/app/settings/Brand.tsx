/** The brand that customers see on the pages and in emails: the logo and the colour. */
import type { Settings } from "@livery/client"
import type { JSX } from "preact"
import { useRef, useState } from "preact/hooks"
import { type Failure, failureOf } from "../../api/Failure.ts"
import { failureText } from "../../components/Failed.tsx"
import { Field, fieldError } from "../../components/Field.tsx"
import { Form } from "../../components/Form.tsx"
import { api } from "../Api.ts"
import { mayWrite } from "../Member.ts"
import type { Reading } from "../parts/Loaded.tsx"
import { Card, type CardKind, saveSettings } from "./Card.tsx"
import type { SettingsWords } from "./words/en.ts"

interface Props {
  readonly reading: Reading<Settings>
  readonly settings: Settings
  readonly words: SettingsWords
}

const colour: CardKind = {
  title: (words) => words.accent_color,
  fields: ({ accent_color }, words) => [
    {
      name: "accent_color",
      label: words.accent_color,
      value: accent_color ?? "",
      hint: words.accentHint,
      shown:
        accent_color === null ? undefined : (
          <span class="row">
            <svg class="swatch" viewBox="0 0 1 1" aria-hidden="true">
              <rect width="1" height="1" fill={accent_color} />
            </svg>
            {accent_color}
          </span>
        )
    }
  ]
}

const Logo = ({ reading, settings, words }: Props) => {
  const file = useRef<HTMLInputElement>(null)
  const [failure, setFailure] = useState<Failure>()
  const { logo_url } = settings
  const remove = async () => {
    setFailure(undefined)
    try {
      await saveSettings(reading, settings, { logo_url: null }, words)
    } catch (error) {
      setFailure(failureOf(error))
    }
  }
  return (
    <section class="card record" aria-labelledby="logo">
      <div class="record-head">
        <h2 id="logo">{words.logo}</h2>
        {logo_url !== null && mayWrite("settings") && (
          <button type="button" class="button small-button" onClick={() => void remove()}>
            {words.remove}
            <span class="unseen"> {words.logo}</span>
          </button>
        )}
      </div>
      {logo_url === null ? (
        <p class="muted">{words.noLogo}</p>
      ) : (
        <img class="logo" src={logo_url} alt={words.logo} />
      )}
      {failure !== undefined && (
        <p class="error" role="alert">
          {failureText(failure, words)}
        </p>
      )}
      {mayWrite("settings") && (
        <Form
          submit={words.upload}
          words={words}
          onSubmit={async () => {
            const chosen = file.current?.files?.[0]
            if (chosen === undefined) return file.current?.focus()
            const { upload_id } = await api.uploads.upload({ file: chosen })
            await saveSettings(reading, settings, { logo_upload_id: upload_id }, words)
            if (file.current !== null) file.current.value = ""
          }}
        >
          {(refused) => (
            <Field
              label={words.logoFile}
              hint={words.logoHint}
              error={fieldError(refused, "file", words) ?? fieldError(refused, "logo_upload_id", words)}
            >
              {(control) => (
                <input {...control} ref={file} type="file" accept="image/png,image/jpeg,image/webp" />
              )}
            </Field>
          )}
        </Form>
      )}
    </section>
  )
}

export const Brand = (props: Props): JSX.Element => (
  <>
    <Logo {...props} />
    <Card kind={colour} {...props} />
  </>
)
