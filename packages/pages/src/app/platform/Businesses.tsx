/** The businesses of the platform: the list, and one business with its usage, credits and suspension. */
import type { AdminBusiness, BusinessUsage, Plan } from "@livery/client"
import type { JSX } from "preact"
import { useState } from "preact/hooks"
import { Facts } from "../../components/Facts.tsx"
import { Form } from "../../components/Form.tsx"
import { Badge } from "../../components/Notice.tsx"
import { toast } from "../../components/Toast.tsx"
import { format } from "../../i18n/Language.ts"
import { allOf, api } from "../Api.ts"
import { momentOf } from "../Formats.ts"
import { Confirm } from "../parts/Confirm.tsx"
import { Filters, filtersOf } from "../parts/Filters.tsx"
import { Loaded, type Reading, useReading } from "../parts/Loaded.tsx"
import { usePages } from "../parts/Pages.ts"
import { changesOf, RecordCard, type RecordField, RecordFields } from "../parts/Record.tsx"
import { Table } from "../parts/Table.tsx"
import { hrefOf } from "../Router.ts"
import { changed } from "../Undo.ts"
import type { PlatformWords } from "./words/en.ts"

type Worded = { readonly words: PlatformWords }

const Status = ({ status, words }: Worded & { readonly status: "A" | "D" }) => (
  <Badge tone={status === "A" ? "good" : "bad"}>{status === "A" ? words.active : words.suspended}</Badge>
)

export const Businesses = ({ words }: Worded): JSX.Element => {
  const filters = filtersOf(["search"])
  const pages = usePages<AdminBusiness>(`businesses ${JSON.stringify(filters)}`, () =>
    api.adminBusinesses.list({ ...filters, per_page: 50 })
  )
  return (
    <>
      <Filters words={words} />
      <Table
        label={words.businesses}
        pages={pages}
        keyOf={({ business_id }) => business_id}
        hrefOf={({ business_id }) => hrefOf(`/platform/businesses/${business_id}`)}
        isFiltered={Object.keys(filters).length > 0}
        empty={null}
        words={words}
        columns={[
          {
            name: "name",
            label: words.name,
            cell: ({ business_name }) => <bdi>{business_name}</bdi>,
            sort: ({ business_name }) => business_name
          },
          { name: "email", label: words.email, cell: ({ business_email }) => <bdi>{business_email}</bdi> },
          {
            name: "credits",
            label: words.credits,
            isNumber: true,
            cell: ({ email_credits }) => format.number(email_credits),
            sort: ({ email_credits }) => email_credits
          },
          { name: "since", label: words.since, cell: ({ created_at }) => momentOf(created_at) },
          {
            name: "status",
            label: words.status,
            cell: ({ status }) => <Status status={status} words={words} />
          }
        ]}
      />
    </>
  )
}

const fieldsOf = (
  business: AdminBusiness,
  plans: ReadonlyArray<Plan>,
  words: PlatformWords
): ReadonlyArray<RecordField> => [
  { name: "business_name", label: words.name, value: business.business_name, isRequired: true },
  {
    name: "business_email",
    label: words.email,
    value: business.business_email,
    kind: "email",
    isRequired: true
  },
  { name: "vendor_slug", label: words.slug, value: business.vendor_slug, isRequired: true },
  {
    name: "subscription_plan_id",
    label: words.plan,
    value: String(business.subscription_plan_id),
    isRequired: true,
    options: plans.map(({ name, plan_id }) => [String(plan_id), name] as const),
    shown: plans.find(({ plan_id }) => plan_id === business.subscription_plan_id)?.name
  },
  {
    name: "subscription_status",
    label: words.subscription,
    value: business.subscription_status,
    isRequired: true,
    options: (["trialing", "active", "past_due", "cancelled"] as const).map(
      (status) => [status, words[`subscription_${status}`]] as const
    ),
    shown: words[`subscription_${business.subscription_status}`]
  },
  { name: "subscription_item_id", label: words.subscriptionItem, value: business.subscription_item_id ?? "" },
  { name: "currency", label: words.currency, value: business.currency, isRequired: true },
  { name: "timezone", label: words.timezone, value: business.timezone, isRequired: true }
]

const Usage = ({ usage, words }: Worded & { readonly usage: BusinessUsage }) => {
  const of = ({ limit, used }: { readonly limit: number | null; readonly used: number }) =>
    `${format.number(used)} / ${limit === null ? "∞" : format.number(limit)}`
  const { allowances } = usage
  return (
    <section class="card record" aria-labelledby="usage">
      <h2 id="usage">{words.usage}</h2>
      <Facts
        facts={[
          [words.plan, usage.plan.name],
          [words.cars, of(allowances.cars)],
          [words.drivers, of(allowances.drivers)],
          [words.invoicesThisMonth, of(allowances.invoices_this_month)],
          [words.tripsThisMonth, format.number(usage.trips.this_month)],
          [words.trips, format.number(usage.trips.total)],
          [words.customers, format.number(usage.customers)],
          [words.members, format.number(usage.members)],
          [words.seats, format.number(usage.seats)],
          [words.webhooks, format.number(usage.webhooks)],
          [words.apiKeys, format.number(usage.api_keys)],
          [
            words.lastActivity,
            usage.last_activity_at === null ? words.none : momentOf(usage.last_activity_at)
          ]
        ]}
      />
    </section>
  )
}

const Credits = ({
  business,
  reading,
  words
}: Worded & { readonly business: AdminBusiness; readonly reading: Reading<AdminBusiness> }) => {
  const [turn, setTurn] = useState(0)
  const fields: ReadonlyArray<RecordField> = [
    {
      name: "credits",
      label: words.addCredits,
      value: "",
      kind: "number",
      hint: words.creditsHint,
      isRequired: true
    },
    { name: "reason", label: words.reason, value: "", isRequired: true }
  ]
  return (
    <section class="card record" aria-labelledby="credits">
      <div class="record-head">
        <h2 id="credits">{words.credits}</h2>
        <strong>{format.number(business.email_credits)}</strong>
      </div>
      <Form
        key={turn}
        submit={words.add}
        words={words}
        onSubmit={async (typed, key) => {
          reading.set(
            await api.adminBusinesses.credits(
              {
                id: business.business_id,
                ...(changesOf(fields, typed) as never as { credits: number; reason: string })
              },
              { idempotencyKey: key }
            )
          )
          toast(words.saved)
          setTurn(turn + 1)
        }}
      >
        {(failure) => <RecordFields fields={fields} failure={failure} words={words} />}
      </Form>
    </section>
  )
}

const Suspension = ({
  business,
  reading,
  words
}: Worded & { readonly business: AdminBusiness; readonly reading: Reading<AdminBusiness> }) => {
  const [isAsking, ask] = useState(false)
  const [reason, setReason] = useState("")
  const isActive = business.status === "A"
  const label = isActive ? words.suspend : words.activate
  return (
    <section class="card record" aria-labelledby="suspension">
      <div class="record-head">
        <h2 id="suspension">{words.status}</h2>
        <Status status={business.status} words={words} />
      </div>
      <p class="muted">{words.suspensionHelp}</p>
      <button type="button" class="button" onClick={() => ask(true)}>
        {label}
      </button>
      {isAsking && (
        <Confirm
          title={`${label}: ${business.business_name}`}
          submit={label}
          words={words}
          onClose={() => ask(false)}
          onConfirm={async () => {
            reading.set(
              await api.adminBusinesses.suspend({
                id: business.business_id,
                action: isActive ? "suspend" : "activate",
                ...(reason.trim() !== "" && { reason: reason.trim() })
              })
            )
            toast(words.saved)
          }}
        >
          <div class="field">
            <label for="suspension-reason">{words.reason}</label>
            <input
              id="suspension-reason"
              value={reason}
              onInput={({ currentTarget }) => setReason(currentTarget.value)}
            />
          </div>
        </Confirm>
      )}
    </section>
  )
}

export const Business = ({ id, words }: Worded & { readonly id: number }): JSX.Element => {
  const reading = useReading(`business ${id}`, () => api.adminBusinesses.read({ id }))
  const usage = useReading(`usage ${id}`, () => api.adminBusinesses.usage({ id }))
  const plans = useReading("plans", () =>
    allOf(api.adminPlans.list({ include_inactive: true, per_page: 100 }))
  )
  return (
    <Loaded reading={reading} words={words}>
      {(business) => (
        <>
          <h2>
            <bdi>{business.business_name}</bdi>
          </h2>
          <div class="record-grid">
            <RecordCard
              title={words.details}
              fields={fieldsOf(business, plans.data ?? [], words)}
              mayEdit={plans.data !== undefined}
              words={words}
              onReload={reading.reload}
              onSave={async (changes) => {
                reading.set(await api.adminBusinesses.update({ id, ...changes }, { ifMatch: business }))
                usage.reload()
                changed(words.saved, words)
              }}
            />
            <Loaded reading={usage} words={words}>
              {(data) => <Usage usage={data} words={words} />}
            </Loaded>
            <Credits business={business} reading={reading} words={words} />
            <Suspension business={business} reading={reading} words={words} />
          </div>
        </>
      )}
    </Loaded>
  )
}
