/** What a driver is paid: the schemes by the day from which they hold, and the statement of some days. */
import type { Driver, DriverPay, DriverStatement } from "@livery/client"
import type { JSX } from "preact"
import { useState } from "preact/hooks"
import { Dialog } from "../../components/Dialog.tsx"
import { Facts } from "../../components/Facts.tsx"
import { Form } from "../../components/Form.tsx"
import { format } from "../../i18n/Language.ts"
import { api } from "../Api.ts"
import { currency, dateOf, daysAfter, momentOf, money } from "../Formats.ts"
import { mayWrite } from "../Member.ts"
import { Loaded, type Reading, useReading } from "../parts/Loaded.tsx"
import { changesOf, type RecordField, RecordFields } from "../parts/Record.tsx"
import { changed } from "../Undo.ts"
import type { DriversWords } from "./words/en.ts"

type Worded = { readonly words: DriversWords }
type Scheme = DriverPay["schemes"][number]

/** The parts of a fare that a share counts: neither tolls nor gratuity nor tax. */
const sharedSteps = [
  "base",
  "night",
  "dates",
  "airport",
  "meet_and_greet",
  "stops",
  "child_seats",
  "passengers",
  "luggage",
  "waiting",
  "late_cancellation",
  "no_show",
  "minimum",
  "rounding"
] as const

const fields = (words: DriversWords): ReadonlyArray<RecordField> => [
  { name: "valid_from", label: words.validFrom, kind: "date", value: dateOf(Date.now()), isRequired: true },
  { name: "name", label: words.name, value: "", isRequired: true },
  { name: "percent", label: words.share, kind: "number", value: "", hint: words.shareHint },
  { name: "per_hour", label: words.perHour, kind: "number", value: "" },
  { name: "flat", label: words.flat, kind: "number", value: "" },
  { name: "minimum", label: words.minimum, kind: "number", value: "" }
]

const SchemeFacts = ({ scheme, words }: Worded & { readonly scheme: Scheme }) => (
  <Facts
    facts={[
      [words.validFrom, format.day(scheme.valid_from)],
      [words.name, <bdi key="name">{scheme.name}</bdi>],
      [words.share, scheme.shares.map(({ percent }) => format.percent(percent)).join(" · ")],
      [words.perHour, scheme.per_hour !== null && money(scheme.per_hour, scheme.currency)],
      [words.flat, scheme.flat !== null && money(scheme.flat, scheme.currency)],
      [words.minimum, scheme.minimum !== null && money(scheme.minimum, scheme.currency)]
    ]}
  />
)

const NewScheme = ({
  onClose,
  pay,
  reading,
  words
}: Worded & {
  readonly pay: DriverPay
  readonly reading: Reading<DriverPay>
  readonly onClose: () => void
}) => {
  const own = fields(words)
  const blank = own.map((field) => ({ ...field, value: "" }))
  return (
    <Dialog title={words.newScheme} onClose={onClose}>
      <Form
        submit={words.save}
        words={words}
        onSubmit={async (typed) => {
          const { percent, ...others } = changesOf(blank, typed)
          const scheme = {
            ...others,
            currency: currency(),
            ...(percent === undefined ? {} : { shares: [{ steps: sharedSteps, percent }] })
          }
          const before = pay.schemes.filter(({ valid_from }) => valid_from !== typed["valid_from"])
          const id = pay.driver_id
          // The server says at each field what is wrong with it.
          reading.set(await api.driverPay.update({ id, schemes: [...before, scheme] as never }))
          changed(words.saved, words, async () =>
            reading.set(await api.driverPay.update({ id, schemes: pay.schemes }))
          )
          onClose()
        }}
      >
        {(failure) => (
          <RecordFields
            fields={own}
            words={words}
            failure={
              failure &&
              Object.assign(Object.create(failure) as typeof failure, {
                // The new scheme is the last one of the list.
                details: failure.details.map((detail) => ({
                  ...detail,
                  field: detail.field.replace(/^schemes\.\d+\.(?:shares\.0\.)?/u, "")
                }))
              })
            }
          />
        )}
      </Form>
      <button type="button" class="button" onClick={onClose}>
        {words.cancel}
      </button>
    </Dialog>
  )
}

const Lines = ({ statement, words }: Worded & { readonly statement: DriverStatement }) =>
  statement.trips.length === 0 ? (
    <p class="muted">{words.noPay}</p>
  ) : (
    <table class="list">
      <caption class="unseen">{words.statement}</caption>
      <thead>
        <tr>
          <th scope="col">{words.date}</th>
          <th scope="col">{words.reference}</th>
          <th scope="col">{words.route}</th>
          <th scope="col" class="number">
            {words.amount}
          </th>
        </tr>
      </thead>
      <tbody>
        {statement.trips.map((trip) => (
          <tr key={trip.trip_id}>
            <td class="short" data-label={words.date}>
              {momentOf(trip.trip_date)}
            </td>
            <td class="short" data-label={words.reference}>
              {trip.reference}
            </td>
            <td data-label={words.route}>
              <bdi>{trip.pickup_address}</bdi> → <bdi>{trip.dropoff_address}</bdi>
            </td>
            <td data-label={words.amount} class="number">
              {money(trip.total_amount, trip.currency)}
            </td>
          </tr>
        ))}
      </tbody>
      <tfoot>
        {statement.totals.map((total) => (
          <tr key={total.currency}>
            <th scope="row" colSpan={3}>
              {words.total}
            </th>
            <td class="number">
              <strong>{money(total.total_amount, total.currency)}</strong>
            </td>
          </tr>
        ))}
      </tfoot>
    </table>
  )

const Statement = ({ driver, words }: Worded & { readonly driver: Driver }) => {
  const today = dateOf(Date.now())
  const [days, setDays] = useState({ from: `${today.slice(0, 7)}-01`, to: today })
  const id = driver.driver_id
  const reading = useReading(`statement ${id} ${days.from} ${days.to}`, () =>
    api.driverPay.statement({ id, ...days })
  )
  return (
    <>
      <div class="filters">
        {(["from", "to"] as const).map((name) => (
          <label key={name}>
            <span class="small">{name === "from" ? words.from : words.until}</span>
            <input
              class="search"
              type="date"
              value={days[name]}
              onChange={({ currentTarget: { value } }) => value !== "" && setDays({ ...days, [name]: value })}
            />
          </label>
        ))}
      </div>
      <Loaded reading={reading} words={words} heights={[120]}>
        {(statement) => <Lines statement={statement} words={words} />}
      </Loaded>
    </>
  )
}

export const Pay = ({ driver, words }: Worded & { readonly driver: Driver }): JSX.Element => {
  const id = driver.driver_id
  const reading = useReading(`pay of ${id}`, () => api.driverPay.read({ id }))
  const [isAdding, setAdding] = useState(false)
  const tomorrow = daysAfter(dateOf(Date.now()), 1)
  return (
    <section class="card record wide">
      <div class="record-head">
        <h2>{words.pay}</h2>
        {mayWrite("pay") && reading.data !== undefined && (
          <button type="button" class="button small-button" onClick={() => setAdding(true)}>
            {words.newScheme}
          </button>
        )}
      </div>
      <Loaded reading={reading} words={words} heights={[80]}>
        {(pay) => {
          const present = pay.schemes.findLast(({ valid_from }) => valid_from < tomorrow)
          const later = pay.schemes.filter(({ valid_from }) => valid_from >= tomorrow)
          return (
            <>
              {pay.schemes.length === 0 && <p class="muted">{words.noScheme}</p>}
              {[...(present === undefined ? [] : [present]), ...later].map((scheme) => (
                <SchemeFacts key={scheme.valid_from} scheme={scheme} words={words} />
              ))}
              {isAdding && (
                <NewScheme pay={pay} reading={reading} words={words} onClose={() => setAdding(false)} />
              )}
            </>
          )
        }}
      </Loaded>
      <h3>{words.statement}</h3>
      <Statement driver={driver} words={words} />
    </section>
  )
}
