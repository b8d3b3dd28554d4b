/** Webhooks: the endpoints that events are sent to, and their deliveries. */
import type { Delivery, Endpoint, EventType } from "@livery/client"
import type { JSX } from "preact"
import { useState } from "preact/hooks"
import { type Failure, failureOf } from "../../api/Failure.ts"
import { failureText } from "../../components/Failed.tsx"
import { Field, fieldError } from "../../components/Field.tsx"
import { Form, type Typed } from "../../components/Form.tsx"
import { Badge } from "../../components/Notice.tsx"
import { toast } from "../../components/Toast.tsx"
import { fill } from "../../i18n/Format.ts"
import { api } from "../Api.ts"
import { momentOf } from "../Formats.ts"
import { mayWrite } from "../Member.ts"
import { atFields } from "../parts/AtFields.ts"
import { Loaded, type Reading, useReading } from "../parts/Loaded.tsx"
import { usePages } from "../parts/Pages.ts"
import { Removal } from "../parts/Removal.tsx"
import { Table } from "../parts/Table.tsx"
import { hrefOf, navigate } from "../Router.ts"
import { Secret } from "./Secret.tsx"
import type { SettingsWords } from "./words/en.ts"

type Worded = { readonly words: SettingsWords }

const testable = [
  "trip.created",
  "trip.updated",
  "trip.completed",
  "trip.cancelled",
  "driver.assigned",
  "quote.accepted",
  "invoice.created",
  "invoice.updated",
  "invoice.paid",
  "payment.succeeded",
  "payment.reversed"
] as const
const eventTypes: ReadonlyArray<EventType> = [...testable, "payment.failed"]

const Fields = ({
  endpoint,
  failure,
  words
}: Worded & { readonly endpoint?: Endpoint; readonly failure: Failure | undefined }) => {
  const wrongEvents = fieldError(failure, "events", words)
  return (
    <>
      <Field label={words.address} error={fieldError(failure, "url", words)}>
        {(control) => (
          <input {...control} name="url" type="url" dir="ltr" defaultValue={endpoint?.url ?? "https://"} />
        )}
      </Field>
      <fieldset class={wrongEvents === undefined ? "events" : "events wrong"}>
        <legend>{words.events}</legend>
        {eventTypes.map((type) => (
          <label key={type} class="check-line">
            <input type="checkbox" name={type} defaultChecked={endpoint?.events.includes(type) ?? false} />
            <code>{type}</code>
          </label>
        ))}
        {wrongEvents !== undefined && <span class="error">{wrongEvents}</span>}
      </fieldset>
    </>
  )
}

/** Sends a form of an endpoint, with refusals at its fields. */
const sending = async <A,>(
  typed: Typed,
  send: (body: { url: string; events: ReadonlyArray<EventType> }) => Promise<A>
) => {
  try {
    return await send({
      url: typed["url"]?.trim() ?? "",
      events: eventTypes.filter((type) => typed[type] !== undefined)
    })
  } catch (error) {
    throw atFields(error, ["url", "events"])
  }
}

/** Does something at once; a refusal is said. */
const act = async (words: SettingsWords, run: () => Promise<unknown>) => {
  try {
    await run()
  } catch (error) {
    toast(failureText(failureOf(error), words))
  }
}

const NewWebhook = ({ words }: Worded): JSX.Element => {
  const [made, setMade] = useState<{ id: number; secret: string }>()
  return (
    <section class="card record" aria-labelledby="new-webhook">
      <h2 id="new-webhook">{words.newWebhook}</h2>
      <Form
        submit={words.create}
        words={words}
        onSubmit={async (typed) => {
          const { endpoint_id, secret } = await sending(typed, (body) => api.webhooks.create(body))
          setMade({ id: endpoint_id, secret })
        }}
      >
        {(failure) => <Fields failure={failure} words={words} />}
      </Form>
      {made !== undefined && (
        <Secret
          title={words.webhookSecret}
          secret={made.secret}
          words={words}
          onClose={() => navigate(`/settings/webhooks/${made.id}`, { replace: true })}
        />
      )}
    </section>
  )
}

const tones = { delivered: "good", failed: "bad" } as const

const Deliveries = ({ endpoint, words }: Worded & { readonly endpoint: Endpoint }) => {
  const id = endpoint.endpoint_id
  const [turn, setTurn] = useState(0)
  const pages = usePages<Delivery>(`deliveries ${id} ${turn}`, () =>
    api.webhooks.deliveries({ id, per_page: 20 })
  )
  const again = () => setTurn((before) => before + 1)
  return (
    <section class="card record wide" aria-labelledby="deliveries">
      <div class="record-head">
        <h2 id="deliveries">{words.deliveries}</h2>
        <button type="button" class="button small-button" onClick={again}>
          {words.reload}
        </button>
      </div>
      {mayWrite("webhooks") && (
        <Form
          submit={words.sendTest}
          words={words}
          onSubmit={async ({ event_type }) => {
            await api.webhooks.test({ id, event_type: event_type as (typeof testable)[number] })
            toast(words.testSent)
            again()
          }}
        >
          {(failure) => (
            <Field label={words.testEvent} error={fieldError(failure, "event_type", words)}>
              {(control) => (
                <select {...control} name="event_type">
                  {testable.map((type) => (
                    <option key={type}>{type}</option>
                  ))}
                </select>
              )}
            </Field>
          )}
        </Form>
      )}
      <Table
        label={words.deliveries}
        pages={pages}
        keyOf={({ delivery_id }) => delivery_id}
        empty={words.noDeliveries}
        words={words}
        columns={[
          { name: "event", label: words.event, cell: ({ event_type }) => <code>{event_type}</code> },
          {
            name: "date",
            label: words.date,
            isShort: true,
            cell: ({ created_at }) => momentOf(created_at)
          },
          {
            name: "status",
            label: words.status,
            cell: ({ status }) => (
              <Badge tone={tones[status as keyof typeof tones] ?? "plain"}>
                {words[`delivery_${status}` as keyof SettingsWords] ?? status}
              </Badge>
            )
          },
          {
            name: "answer",
            label: words.answer,
            cell: ({ attempt, last_error, response_status }) => (
              <>
                {response_status ?? last_error}{" "}
                <span class="muted small">{fill(words.attempt, { count: String(attempt) })}</span>
              </>
            )
          },
          {
            name: "retry",
            label: words.actions,
            cell: ({ delivery_id, status }) =>
              status === "failed" &&
              mayWrite("webhooks") && (
                <button
                  type="button"
                  class="button small-button"
                  onClick={() =>
                    void act(words, async () => {
                      await api.webhooks.retry({ id, delivery_id })
                      toast(words.sentAgain)
                      again()
                    })
                  }
                >
                  {words.retry}
                </button>
              )
          }
        ]}
      />
    </section>
  )
}

const Details = ({
  endpoint,
  reading,
  words
}: Worded & { readonly endpoint: Endpoint; readonly reading: Reading<Endpoint> }) => {
  const id = endpoint.endpoint_id
  const [secret, setSecret] = useState<string>()
  const [isRemoving, setRemoving] = useState(false)
  const isEnabled = endpoint.status === "enabled"
  const mayEdit = mayWrite("webhooks")
  return (
    <section class="card record wide" aria-labelledby="webhook">
      <div class="record-head">
        <h2 id="webhook">
          <bdi>{new URL(endpoint.url).host}</bdi>
        </h2>
        <Badge tone={isEnabled ? "good" : "plain"}>{isEnabled ? words.active : words.inactive}</Badge>
      </div>
      {mayEdit ? (
        <>
          <Form
            submit={words.save}
            words={words}
            onSubmit={async (typed) => {
              reading.set(
                await sending(typed, (body) => api.webhooks.update({ id, ...body }, { ifMatch: endpoint }))
              )
              toast(words.saved)
            }}
          >
            {(failure) => <Fields endpoint={endpoint} failure={failure} words={words} />}
          </Form>
          <div class="actions">
            <button
              type="button"
              class="button"
              onClick={() =>
                void act(words, async () => {
                  reading.set(
                    await api.webhooks.update(
                      { id, status: isEnabled ? "disabled" : "enabled" },
                      { ifMatch: endpoint }
                    )
                  )
                })
              }
            >
              {isEnabled ? words.disable : words.enable}
            </button>
            <button
              type="button"
              class="button"
              onClick={() =>
                void act(words, async () => setSecret((await api.webhooks.replaceSecret({ id })).secret))
              }
            >
              {words.newSecret}
            </button>
            <button type="button" class="button" onClick={() => setRemoving(true)}>
              {words.delete}
            </button>
          </div>
        </>
      ) : (
        <p>
          <bdi>{endpoint.url}</bdi>: {endpoint.events.join(", ")}
        </p>
      )}
      {secret !== undefined && (
        <Secret
          title={words.webhookSecret}
          secret={secret}
          words={words}
          onClose={() => setSecret(undefined)}
        />
      )}
      {isRemoving && (
        <Removal
          name={endpoint.url}
          words={words}
          onClose={() => setRemoving(false)}
          onRemove={async () => {
            await api.webhooks.remove({ id })
            toast(fill(words.deleted, { name: endpoint.url }))
            navigate("/settings/webhooks", { replace: true })
          }}
        />
      )}
    </section>
  )
}

const Webhook = ({ id, words }: Worded & { readonly id: number }) => {
  const reading = useReading(`webhook ${id}`, () => api.webhooks.read({ id }))
  return (
    <Loaded reading={reading} words={words}>
      {(endpoint) => (
        <>
          <Details endpoint={endpoint} reading={reading} words={words} />
          <Deliveries endpoint={endpoint} words={words} />
        </>
      )}
    </Loaded>
  )
}

const List = ({ words }: Worded) => {
  const pages = usePages<Endpoint>("webhooks", () => api.webhooks.list({ per_page: 50 }))
  const add = mayWrite("webhooks") && (
    <a class="button" href={hrefOf("/settings/webhooks/new")}>
      {words.newWebhook}
    </a>
  )
  return (
    <section class="wide form" aria-label={words.webhooks}>
      <Table
        label={words.webhooks}
        pages={pages}
        keyOf={({ endpoint_id }) => endpoint_id}
        hrefOf={({ endpoint_id }) => hrefOf(`/settings/webhooks/${endpoint_id}`)}
        empty={words.noWebhooks}
        words={words}
        columns={[
          { name: "url", label: words.address, cell: ({ url }) => <bdi>{url}</bdi> },
          { name: "events", label: words.events, isNumber: true, cell: ({ events }) => events.length },
          {
            name: "status",
            label: words.status,
            cell: ({ status }) => (
              <Badge tone={status === "enabled" ? "good" : "plain"}>
                {status === "enabled" ? words.active : words.inactive}
              </Badge>
            )
          }
        ]}
      />
      <div class="row">{add}</div>
    </section>
  )
}

export const Webhooks = ({ id, words }: Worded & { readonly id: string | undefined }): JSX.Element => {
  if (id === undefined) return <List words={words} />
  return id === "new" ? <NewWebhook words={words} /> : <Webhook key={id} id={Number(id)} words={words} />
}
