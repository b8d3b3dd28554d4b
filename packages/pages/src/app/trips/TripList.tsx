/** The trips: searched and filtered, with changes of several trips at once. */
import type { Trip, TripStatus } from "@livery/client"
import type { JSX } from "preact"
import { useState } from "preact/hooks"
import { failureOf } from "../../api/Failure.ts"
import { failureText } from "../../components/Failed.tsx"
import { Notice } from "../../components/Notice.tsx"
import { toast } from "../../components/Toast.tsx"
import { fill } from "../../i18n/Format.ts"
import { format } from "../../i18n/Language.ts"
import { api } from "../Api.ts"
import { momentOf, money } from "../Formats.ts"
import { useCommands } from "../Keys.ts"
import { mayWrite } from "../Member.ts"
import { Confirm } from "../parts/Confirm.tsx"
import { Filters, filtersOf } from "../parts/Filters.tsx"
import { ImportLink } from "../parts/ImportLink.tsx"
import { Page } from "../parts/Page.tsx"
import { type Pages, usePages } from "../parts/Pages.ts"
import { type Column, Table } from "../parts/Table.tsx"
import { Views } from "../parts/Views.tsx"
import { hrefOf, navigate, setQuery } from "../Router.ts"
import { changed } from "../Undo.ts"
import { paymentStates, StatusBadge, tripStates } from "./Status.tsx"
import type { TripsWords } from "./words/en.ts"

type Worded = { readonly words: TripsWords }

const filterNames = ["search", "status", "payment_status", "invoiced", "date_from", "date_to", "customer_id"]

const columnsOf = (words: TripsWords): ReadonlyArray<Column<Trip>> => [
  {
    name: "date",
    label: words.pickup,
    isShort: true,
    cell: ({ trip_date }) => momentOf(trip_date),
    sort: (it) => it.trip_date
  },
  {
    name: "passenger",
    label: words.passenger,
    cell: ({ customer_name }) => <bdi>{customer_name}</bdi>,
    sort: ({ customer_name }) => customer_name
  },
  {
    name: "route",
    label: words.route,
    cell: ({ dropoff_address, pickup_address }) => (
      <span>
        <bdi>{pickup_address}</bdi> → <bdi>{dropoff_address}</bdi>
      </span>
    )
  },
  {
    name: "drivers",
    label: words.driver,
    cell: ({ drivers }) => <bdi>{drivers.map(({ name }) => name).join(", ")}</bdi>
  },
  {
    name: "status",
    label: words.status,
    cell: ({ status }) => <StatusBadge status={status} words={words} />,
    sort: ({ status }) => status
  },
  {
    name: "amount",
    label: words.price,
    isNumber: true,
    cell: ({ currency, total_amount }) => money(total_amount, currency),
    sort: ({ total_amount }) => total_amount ?? 0
  }
]

/** The trips whose change the server wants to have confirmed, with its reasons. They are still selected. */
interface Asked {
  readonly status: TripStatus
  readonly trips: ReadonlyArray<readonly [trip: Trip, reason: string]>
}

/** What can be done with the selected trips; each trip is changed by a request of its own, and a refused one stays selected. */
const Bulk = ({
  onDone,
  pages,
  selected,
  words
}: Worded & {
  readonly selected: ReadonlySet<number>
  readonly pages: Pages<Trip>
  readonly onDone: (left: ReadonlySet<number>) => void
}) => {
  const [isCancelling, setCancelling] = useState(false)
  const trips = (pages.reading.data?.rows ?? []).filter(({ trip_id }) => selected.has(trip_id))
  const [asked, ask] = useState<Asked>()
  const changeAll = async (status: TripStatus, force = false) => {
    const done: Array<Trip> = []
    const reasons = new Set<string>()
    const unsure: Array<readonly [trip: Trip, reason: string]> = []
    for (const trip of trips)
      try {
        await api.trips.update({ id: trip.trip_id, status, ...(force && { force }) })
        done.push(trip)
      } catch (error) {
        const failure = failureOf(error)
        if (failure.type === "confirmation_required") unsure.push([trip, failure.message])
        else reasons.add(failureText(failure, words))
      }
    ask(unsure.length === 0 ? undefined : { status, trips: unsure })
    pages.reading.reload()
    onDone(new Set(trips.filter((trip) => !done.includes(trip)).map(({ trip_id }) => trip_id)))
    const numbers = { count: format.number(done.length), total: format.number(trips.length) }
    changed([fill(words.bulkDone, numbers), ...reasons].join(" "), words)
  }
  const invoice = async () => {
    try {
      const { invoice_id } = await api.invoices.create({ trip_ids: [...selected] })
      toast(words.invoiced)
      navigate(`/money/${invoice_id}`)
    } catch (error) {
      const { details, message } = failureOf(error)
      toast(details.length === 0 ? message : `${words.notInvoiced} ${message}`)
    }
  }
  return (
    <div class="row bulk" role="group" aria-label={words.actions}>
      <strong>{fill(words.selected, { count: format.number(selected.size) })}</strong>
      <button type="button" class="button small-button" onClick={() => void changeAll("confirmed")}>
        {words.confirmTrips}
      </button>
      <button type="button" class="button small-button" onClick={() => void changeAll("completed")}>
        {words.completeTrips}
      </button>
      <button type="button" class="button small-button" onClick={() => setCancelling(true)}>
        {words.cancelTrips}
      </button>
      {mayWrite("billing") && (
        <button type="button" class="button small-button" onClick={() => void invoice()}>
          {words.invoiceTrips}
        </button>
      )}
      {isCancelling && (
        <Confirm
          title={fill(words.cancelMany, { count: format.number(selected.size) })}
          submit={words.cancelTrips}
          words={words}
          onClose={() => setCancelling(false)}
          onConfirm={() => changeAll("cancelled")}
        />
      )}
      {asked !== undefined && (
        <Confirm
          title={fill(words.bulkAsk, { count: format.number(asked.trips.length) })}
          submit={words.bulkAnyway}
          words={words}
          onClose={() => ask(undefined)}
          onConfirm={() => changeAll(asked.status, true)}
        >
          {asked.trips.map(([{ customer_name, reference, trip_id }, reason]) => (
            <Notice key={trip_id} tone="warn">
              {reference} <bdi>{customer_name}</bdi>: {reason}
            </Notice>
          ))}
        </Confirm>
      )}
    </div>
  )
}

export const TripList = ({ words }: Worded): JSX.Element => {
  const filters = filtersOf(filterNames)
  const pages = usePages(JSON.stringify(filters), () =>
    api.trips.list({ ...(filters as Readonly<Record<string, never>>), per_page: "50" })
  )
  const [selected, select] = useState<ReadonlySet<number>>(new Set())
  const mayAdd = mayWrite("operations")
  useCommands(mayAdd ? [{ key: "n", label: words.newTrip, run: () => navigate("/trips/new") }] : [])
  const add = (
    <>
      <ImportLink kind="trips" words={words} />
      {mayAdd && (
        <a class="button primary" href={hrefOf("/trips/new")}>
          {words.newTrip}
        </a>
      )}
    </>
  )
  return (
    <Page
      title={words.trips}
      actions={
        <>
          <Views
            screen="trips"
            filters={filters}
            onChoose={(chosen) =>
              setQuery(Object.fromEntries(filterNames.map((name) => [name, chosen[name]])))
            }
            words={words}
          />
          <a class="button" href={hrefOf("/trips/templates")}>
            {words.templates}
          </a>
          {add}
        </>
      }
    >
      <Filters
        words={words}
        days={[
          ["date_from", words.fromDay],
          ["date_to", words.toDay]
        ]}
        choices={[
          {
            name: "status",
            label: words.status,
            options: Object.keys(tripStates).map((state) => [state, words[state as TripStatus]] as const)
          },
          {
            name: "payment_status",
            label: words.payment,
            options: paymentStates.map((state) => [state, words[state]] as const)
          },
          {
            name: "invoiced",
            label: words.invoice,
            options: [
              ["true", words.onInvoice],
              ["false", words.onNoInvoice]
            ]
          }
        ]}
      />
      {selected.size > 0 && mayAdd && (
        <Bulk pages={pages} selected={selected} onDone={select} words={words} />
      )}
      <Table
        label={words.trips}
        pages={pages}
        columns={columnsOf(words)}
        keyOf={({ trip_id }) => trip_id}
        hrefOf={({ trip_id }) => hrefOf(`/trips/${trip_id}`)}
        {...(mayAdd ? { selection: { keys: selected, change: select } } : {})}
        isFiltered={Object.keys(filters).length > 0}
        empty={
          <>
            <p class="muted">{words.firstTrip}</p>
            <div class="row">{add}</div>
          </>
        }
        words={words}
      />
    </Page>
  )
}
