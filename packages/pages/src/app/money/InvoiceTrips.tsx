/** The trips of an invoice. Until it is issued, trips of the customer can be added and taken off, with their lines. */
import type { JSX } from "preact"
import { useState } from "preact/hooks"
import { Dialog } from "../../components/Dialog.tsx"
import { Field, fieldError } from "../../components/Field.tsx"
import { Form } from "../../components/Form.tsx"
import { fill } from "../../i18n/Format.ts"
import { api } from "../Api.ts"
import { momentOf, money } from "../Formats.ts"
import { mayWrite } from "../Member.ts"
import { Loaded, useReading } from "../parts/Loaded.tsx"
import { hrefOf } from "../Router.ts"
import { changed } from "../Undo.ts"
import { attempt } from "../parts/Files.ts"
import type { InvoiceProps } from "./InvoiceRecord.tsx"
import { valueOf } from "./Lines.tsx"

/** The completed trips of the customer that no invoice has. */
const openTrips = async (customer: number) => {
  const { data } = await api.trips
    .list({ customer_id: customer, status: "completed", invoiced: false, per_page: "100" })
    .page()
  return data
}

const Adding = ({
  customer,
  invoice,
  onClose,
  reading: invoiceReading,
  words
}: InvoiceProps & { readonly customer: number; readonly onClose: () => void }) => {
  const reading = useReading(`open trips ${customer}`, () => openTrips(customer))
  const [chosen, choose] = useState<ReadonlySet<number>>(new Set())
  return (
    <Dialog title={words.addTrips} onClose={onClose}>
      <Loaded reading={reading} words={words}>
        {(trips) =>
          trips.length === 0 ? (
            <p class="muted">{words.noOpenTrips}</p>
          ) : (
            <Form
              submit={words.addTrips}
              words={words}
              onSubmit={async ({ tax_rate = "" }) => {
                const after = await api.invoices.attachTrips({
                  id: invoice.invoice_id,
                  trip_ids: [...chosen],
                  ...(tax_rate.trim() === "" ? {} : { tax_rate: valueOf(tax_rate) })
                })
                invoiceReading.set(after)
                changed(words.saved, words)
                onClose()
              }}
            >
              {(failure) => (
                <>
                  <fieldset class="plain-list trip-choice">
                    <legend class="unseen">{words.trips}</legend>
                    {trips.map(({ currency, dropoff_address, total_amount, trip_date, trip_id }) => (
                      <label key={trip_id} class="check-line">
                        <input
                          type="checkbox"
                          checked={chosen.has(trip_id)}
                          onChange={({ currentTarget: { checked } }) => {
                            const others = [...chosen].filter((known) => known !== trip_id)
                            choose(new Set(checked ? [...others, trip_id] : others))
                          }}
                        />
                        <span>
                          {momentOf(trip_date)} → <bdi>{dropoff_address}</bdi>
                        </span>
                        <span class="amount">{money(total_amount, currency)}</span>
                      </label>
                    ))}
                  </fieldset>
                  <Field label={words.taxRate} error={fieldError(failure, "tax_rate", words)}>
                    {(control) => <input {...control} name="tax_rate" inputMode="decimal" />}
                  </Field>
                </>
              )}
            </Form>
          )
        }
      </Loaded>
      <button type="button" class="button" onClick={onClose}>
        {words.cancel}
      </button>
    </Dialog>
  )
}

export const InvoiceTrips = (props: InvoiceProps): JSX.Element | null => {
  const { invoice, reading, words } = props
  const [isAdding, setAdding] = useState(false)
  const mayChange = mayWrite("billing") && invoice.sealed_at === null && invoice.status !== "void"
  const id = invoice.invoice_id
  const takeOff = (trip_id: number) =>
    attempt(async () => {
      reading.set(await api.invoices.detachTrips({ id, trip_ids: [trip_id] }, { ifMatch: invoice }))
      changed(words.saved, words, async () =>
        reading.set(await api.invoices.attachTrips({ id, trip_ids: [trip_id] }))
      )
    }, words)
  if (invoice.trip_ids.length === 0 && (!mayChange || invoice.customer_id === null)) return null
  return (
    <section class="card record">
      <div class="record-head">
        <h2>{words.trips}</h2>
        {mayChange && invoice.customer_id !== null && (
          <button type="button" class="button small-button" onClick={() => setAdding(true)}>
            {words.addTrips}
          </button>
        )}
      </div>
      {invoice.trip_ids.length === 0 ? (
        <p class="muted">{words.empty}</p>
      ) : (
        <ul class="item-list">
          {invoice.trip_ids.map((trip_id) => {
            const description = invoice.items.find((item) => item.trip_id === trip_id)?.description
            return (
              <li key={trip_id}>
                <a href={hrefOf(`/trips/${trip_id}`)}>
                  <bdi>{description ?? `${words.trip} ${trip_id}`}</bdi>
                </a>
                {mayChange && (
                  <button
                    type="button"
                    class="button small-button"
                    aria-label={fill(words.takeOff, { trip: description ?? String(trip_id) })}
                    onClick={() => void takeOff(trip_id)}
                  >
                    {words.remove}
                  </button>
                )}
              </li>
            )
          })}
        </ul>
      )}
      {isAdding && invoice.customer_id !== null && (
        <Adding {...props} customer={invoice.customer_id} onClose={() => setAdding(false)} />
      )}
    </section>
  )
}
