/** The gateway for text messages: its account, a message to try it, and the address of its callbacks. */
import type { TextGatewayTest } from "@livery/client"
import type { JSX } from "preact"
import { useState } from "preact/hooks"
import { Facts } from "../../../components/Facts.tsx"
import { Field, fieldError } from "../../../components/Field.tsx"
import { Form } from "../../../components/Form.tsx"
import { Notice } from "../../../components/Notice.tsx"
import { toast } from "../../../components/Toast.tsx"
import { fill } from "../../../i18n/Format.ts"
import { api } from "../../Api.ts"
import { mayWrite } from "../../Member.ts"
import { Loaded, type Reading, useReading } from "../../parts/Loaded.tsx"
import { useEditFocus } from "../../parts/Record.tsx"
import { Removal } from "../../parts/Removal.tsx"
import { Secret } from "../Secret.tsx"
import type { SettingsWords } from "../words/en.ts"
import type { Gateway } from "./Fields.ts"
import { GatewayForm } from "./GatewayForm.tsx"
import { recipeOf } from "./Recipes.ts"

type Worded = { readonly words: SettingsWords }

const nameOf = ({ url }: Gateway) => recipeOf(url)?.name ?? URL.parse(url)?.host ?? url

const Trial = ({ words }: Worded) => {
  const [result, setResult] = useState<TextGatewayTest>()
  return (
    <section class="rows" aria-labelledby="try-gateway">
      <h3 id="try-gateway">{words.gatewayTry}</h3>
      <Form
        submit={words.gatewaySend}
        words={words}
        onSubmit={async ({ text = "", to = "" }) => {
          setResult(undefined)
          setResult(await api.notices.testGateway({ to, text }))
        }}
      >
        {(failure) => (
          <div class="form-grid">
            <Field label={words.phone} error={fieldError(failure, "to", words)}>
              {(control) => <input {...control} name="to" type="tel" dir="ltr" />}
            </Field>
            <Field label={words.text} error={fieldError(failure, "text", words)}>
              {(control) => <input {...control} name="text" dir="auto" defaultValue={words.gatewaySample} />}
            </Field>
          </div>
        )}
      </Form>
      {result !== undefined && (
        <Notice tone={result.taken ? "good" : "bad"} role="status">
          <p>
            {result.taken ? words.gatewayTook : fill(words.gatewayRefused, { reason: result.reason ?? "" })}
          </p>
          {result.response_status !== null && (
            <p class="small">{fill(words.gatewayAnswered, { status: String(result.response_status) })}</p>
          )}
          {result.response_body !== null && result.response_body !== "" && (
            <pre class="response" dir="ltr">
              {result.response_body}
            </pre>
          )}
        </Notice>
      )}
    </section>
  )
}

const Stored = ({
  gateway,
  onEdit,
  onRemove,
  words
}: Worded & { readonly gateway: Gateway; readonly onEdit: () => void; readonly onRemove: () => void }) => (
  <>
    <Facts
      facts={[
        [words.gateway, <bdi key="gateway">{nameOf(gateway)}</bdi>],
        [words.sender, <bdi key="sender">{gateway.sender}</bdi>],
        [
          recipeOf(gateway.url)?.account ?? words.gatewayAccount,
          gateway.account && <bdi key="account">{gateway.account}</bdi>
        ],
        [words.gatewayCallbacks, gateway.callbacks === null ? words.no : words.yes],
        [words.gatewaySignature, gateway.callbacks?.signature ? words.yes : words.no]
      ]}
    />
    {mayWrite("settings") && (
      <div class="actions">
        <button type="button" class="button" data-edit onClick={onEdit}>
          {words.edit}
          <span class="unseen"> {words.textGateway}</span>
        </button>
        <button type="button" class="button" onClick={onRemove}>
          {words.remove}
          <span class="unseen"> {words.textGateway}</span>
        </button>
      </div>
    )}
  </>
)

const Card = ({
  gateway,
  reading,
  words
}: Worded & { readonly gateway: Gateway | null; readonly reading: Reading<Gateway | null> }) => {
  const [isEditing, setEditing] = useState(false)
  const [isRemoving, setRemoving] = useState(false)
  const [address, setAddress] = useState<string>()
  const mayEdit = mayWrite("settings")
  const hasForm = mayEdit && (gateway === null || isEditing)
  const edited = useEditFocus(hasForm || address !== undefined)
  return (
    <section class="card record wide" aria-labelledby="text-gateway" ref={edited}>
      <h2 id="text-gateway">{words.textGateway}</h2>
      {gateway === null && <p class="muted">{words.noGateway}</p>}
      {gateway !== null && !isEditing && (
        <Stored
          gateway={gateway}
          words={words}
          onEdit={() => setEditing(true)}
          onRemove={() => setRemoving(true)}
        />
      )}
      {hasForm && (
        <GatewayForm
          gateway={gateway}
          words={words}
          onSaved={({ callback_url, ...stored }) => {
            reading.set(stored)
            setEditing(false)
            toast(words.saved)
            if (callback_url !== null) setAddress(callback_url)
          }}
        />
      )}
      {isEditing && (
        <button type="button" class="button" onClick={() => setEditing(false)}>
          {words.cancel}
        </button>
      )}
      {gateway !== null && !isEditing && mayEdit && <Trial words={words} />}
      {address !== undefined && (
        <Secret
          title={words.callbackAddress}
          help={words.callbackAddressHelp}
          secret={address}
          words={words}
          onClose={() => setAddress(undefined)}
        />
      )}
      {isRemoving && gateway !== null && (
        <Removal
          name={nameOf(gateway)}
          words={words}
          onClose={() => setRemoving(false)}
          onRemove={async () => {
            await api.notices.removeGateway()
            reading.set(null)
            setRemoving(false)
            toast(fill(words.deleted, { name: nameOf(gateway) }))
          }}
        />
      )}
    </section>
  )
}

export const TextGateway = ({ words }: Worded): JSX.Element => {
  const reading = useReading<Gateway | null>("text gateway", () => api.notices.readGateway())
  return (
    <Loaded reading={reading} words={words}>
      {(gateway) => <Card gateway={gateway} reading={reading} words={words} />}
    </Loaded>
  )
}
