/** The form of a gateway for text messages: a recipe fills what the gateway's documentation says, and the rest is the account. */
import type { StoredTextGateway } from "@livery/client"
import type { JSX } from "preact"
import { useState } from "preact/hooks"
import type { Failure } from "../../../api/Failure.ts"
import { Field, fieldError } from "../../../components/Field.tsx"
import { Form, type Typed } from "../../../components/Form.tsx"
import { api } from "../../Api.ts"
import { atFields } from "../../parts/AtFields.ts"
import type { SettingsWords } from "../words/en.ts"
import { fieldNames, type Gateway, type GatewayField, parts, requestOf, textsOf } from "./Fields.ts"
import { ownTemplate, recipeOf, recipes } from "./Recipes.ts"

type Worded = { readonly words: SettingsWords }

const Control = ({
  failure,
  field,
  value,
  words
}: Worded & {
  readonly field: GatewayField
  readonly value: string
  readonly failure: Failure | undefined
}) => {
  const { hint, kind, label, name, options } = field
  return (
    <Field label={words[label]} hint={hint && words[hint]} error={fieldError(failure, name, words)}>
      {(control) =>
        options !== undefined ? (
          <select {...control} name={name} defaultValue={value}>
            {options.map((option) => (
              <option key={option} value={option} selected={option === value}>
                {option}
              </option>
            ))}
          </select>
        ) : kind === "area" ? (
          <textarea {...control} name={name} dir="ltr" class="code" defaultValue={value} spellcheck={false} />
        ) : (
          <input
            {...control}
            name={name}
            dir="ltr"
            type={(kind === "secret" ? "password" : "text") as "text"}
            autocomplete="off"
            spellcheck={false}
            defaultValue={value}
          />
        )
      }
    </Field>
  )
}

/** A part of the template, which opens when something in it is wrong. */
const Part = ({
  failure,
  isOpen,
  part,
  texts,
  words
}: Worded & {
  readonly part: (typeof parts)[number]
  readonly texts: Typed
  readonly isOpen: boolean
  readonly failure: Failure | undefined
}) => {
  const isWrong = part.fields.some(({ name }) => fieldError(failure, name, words) !== undefined)
  return (
    <details class="part" open={isOpen || isWrong}>
      <summary>{words[part.title]}</summary>
      {part.hint !== undefined && <p class="small muted">{words[part.hint]}</p>}
      <div class="form-grid">
        {part.fields.map((field) => (
          <Control
            key={field.name}
            field={field}
            value={texts[field.name] ?? ""}
            failure={failure}
            words={words}
          />
        ))}
      </div>
    </details>
  )
}

export const GatewayForm = ({
  gateway,
  onSaved,
  words
}: Worded & {
  readonly gateway: Gateway | null
  readonly onSaved: (stored: StoredTextGateway) => void
}): JSX.Element => {
  const [name, setName] = useState(gateway === null ? "Twilio" : (recipeOf(gateway.url)?.name ?? ""))
  const [isChosen, setChosen] = useState(gateway === null)
  const recipe = recipes.find((it) => it.name === name)
  const template = gateway !== null && !isChosen ? gateway : (recipe?.template ?? ownTemplate)
  const texts = textsOf(template)
  const stored = gateway?.has_token === true ? words.secretStored : undefined
  return (
    <Form
      submit={words.save}
      words={words}
      onSubmit={async (typed) => {
        try {
          onSaved(await api.notices.putGateway(requestOf(typed)))
        } catch (error) {
          throw atFields(error, fieldNames)
        }
      }}
    >
      {(failure) => (
        <>
          <div class="form-grid">
            <Field label={words.gateway} hint={words.gatewayHint}>
              {(control) => (
                <select
                  {...control}
                  value={name}
                  onChange={({ currentTarget }) => {
                    setName(currentTarget.value)
                    setChosen(true)
                  }}
                >
                  {recipes.map((each) => (
                    <option key={each.name} value={each.name}>
                      {each.name}
                    </option>
                  ))}
                  <option value="">{words.otherGateway}</option>
                </select>
              )}
            </Field>
            <Field label={words.sender} hint={words.senderHint} error={fieldError(failure, "sender", words)}>
              {(control) => (
                <input {...control} name="sender" dir="ltr" defaultValue={gateway?.sender ?? ""} />
              )}
            </Field>
            {(recipe === undefined || recipe.account !== undefined) && (
              <Field
                label={recipe?.account ?? words.gatewayAccount}
                error={fieldError(failure, "account", words)}
              >
                {(control) => (
                  <input
                    {...control}
                    name="account"
                    dir="ltr"
                    autocomplete="off"
                    spellcheck={false}
                    defaultValue={gateway?.account ?? ""}
                  />
                )}
              </Field>
            )}
            <Field
              label={recipe?.token ?? words.gatewayToken}
              hint={stored}
              error={fieldError(failure, "token", words)}
            >
              {(control) => <input {...control} name="token" dir="ltr" type="password" autocomplete="off" />}
            </Field>
          </div>
          <div class="parts" key={`${name} ${isChosen}`}>
            {parts.map((part, index) => (
              <Part
                key={part.title}
                part={part}
                texts={texts}
                isOpen={recipe === undefined && index === 0}
                failure={failure}
                words={words}
              />
            ))}
          </div>
        </>
      )}
    </Form>
  )
}
