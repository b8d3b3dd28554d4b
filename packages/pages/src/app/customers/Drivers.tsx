/** The drivers whom a customer prefers or refuses. */
import type { Customer } from "@livery/client"
import type { JSX } from "preact"
import { useState } from "preact/hooks"
import { Facts } from "../../components/Facts.tsx"
import { allOf, api } from "../Api.ts"
import { mayWrite } from "../Member.ts"
import { Ask } from "../parts/Ask.tsx"
import { Loaded, type Reading, useReading } from "../parts/Loaded.tsx"
import type { RecordField } from "../parts/Record.tsx"
import { changed } from "../Undo.ts"
import type { CustomersWords } from "./words/en.ts"

type Choice = Pick<Customer, "preferred_driver_ids" | "refused_driver_ids">

const choiceOf = ({ preferred_driver_ids, refused_driver_ids }: Choice): Choice => ({
  preferred_driver_ids,
  refused_driver_ids
})

export const Drivers = ({
  customer,
  reading,
  words
}: {
  readonly customer: Customer
  readonly reading: Reading<Customer>
  readonly words: CustomersWords
}): JSX.Element => {
  const all = useReading("drivers", () => allOf(api.drivers.list({ active: true, per_page: 100 })))
  const [isOpen, setOpen] = useState(false)
  const save = async (choice: Choice) => {
    reading.set(await api.customers.update({ id: customer.customer_id, ...choice }))
  }
  return (
    <section class="card record">
      <div class="record-head">
        <h2>{words.drivers}</h2>
        {mayWrite("customers") && (
          <button type="button" class="button small-button" onClick={() => setOpen(true)}>
            {words.edit}
            <span class="unseen"> {words.drivers}</span>
          </button>
        )}
      </div>
      <Loaded reading={all} words={words} heights={[40]}>
        {(drivers) => {
          const names = (ids: ReadonlyArray<number>) =>
            drivers.flatMap(({ driver_id, name }) => (ids.includes(driver_id) ? [name] : [])).join(", ")
          const before = choiceOf(customer)
          return (
            <>
              <Facts
                facts={[
                  [words.preferredDrivers, <bdi key="preferred">{names(before.preferred_driver_ids)}</bdi>],
                  [words.refusedDrivers, <bdi key="refused">{names(before.refused_driver_ids)}</bdi>]
                ]}
              />
              {isOpen && (
                <Ask
                  title={words.drivers}
                  submit={words.save}
                  fields={drivers.map(({ driver_id, name }): RecordField => ({
                    name: `driver_${driver_id}`,
                    label: name,
                    value: before.preferred_driver_ids.includes(driver_id)
                      ? "preferred"
                      : before.refused_driver_ids.includes(driver_id)
                        ? "refused"
                        : "",
                    options: [
                      ["preferred", words.preferred],
                      ["refused", words.refused]
                    ]
                  }))}
                  onClose={() => setOpen(false)}
                  run={async (typed) => {
                    const chosen = (choice: string) =>
                      drivers.flatMap(({ driver_id }) =>
                        typed[`driver_${driver_id}`] === choice ? [driver_id] : []
                      )
                    // The list has the active drivers alone; a choice of another one stays.
                    const shown = new Set<number>(drivers.map(({ driver_id }) => driver_id))
                    const kept = (ids: ReadonlyArray<number>) => ids.filter((id) => !shown.has(id))
                    await save({
                      preferred_driver_ids: [...kept(before.preferred_driver_ids), ...chosen("preferred")],
                      refused_driver_ids: [...kept(before.refused_driver_ids), ...chosen("refused")]
                    })
                    changed(words.saved, words, () => save(before))
                  }}
                  words={words}
                >
                  <p class="muted">{words.driversHint}</p>
                </Ask>
              )}
            </>
          )
        }}
      </Loaded>
    </section>
  )
}
