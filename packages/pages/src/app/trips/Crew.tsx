/** The drivers of a trip: who drives, in which car, with the link of each; assigning and taking off. */
import type { Trip } from "@livery/client"
import type { JSX } from "preact"
import { useState } from "preact/hooks"
import { failureOf } from "../../api/Failure.ts"
import { failureText } from "../../components/Failed.tsx"
import { Notice } from "../../components/Notice.tsx"
import { toast } from "../../components/Toast.tsx"
import { allOf, api } from "../Api.ts"
import { mayWrite } from "../Member.ts"
import { AnswerChip, Declined } from "../parts/AnswerChip.tsx"
import { Loaded, useReading } from "../parts/Loaded.tsx"
import { changed } from "../Undo.ts"
import { changeGroup, type Scope, scopeOf, scopes } from "./ApplyTo.ts"
import type { TripsWords } from "./words/en.ts"

/** The address of the driver's page for a link. */
const driverLink = (token: string) => new URL(`../drive#${token}`, document.baseURI).href

export const Crew = ({
  onChange,
  trip,
  words
}: {
  readonly trip: Trip
  readonly onChange: () => void
  readonly words: TripsWords
}): JSX.Element => {
  const reading = useReading("drivers", () => allOf(api.drivers.list({ active: true, per_page: 100 })))
  const [link, setLink] = useState<string>()
  const [scope, setScope] = useState<Scope>("this")
  const [refusal, setRefusal] = useState<{ readonly reason: string; readonly ids: ReadonlyArray<number> }>()
  const id = trip.trip_id
  const isOpen = trip.status === "pending" || trip.status === "confirmed" || trip.status === "in_progress"
  const mayEdit = mayWrite("operations") && isOpen
  const own = trip.drivers.filter(({ status }) => status !== "cancelled")
  const ids = own.map(({ driver_id }) => driver_id)

  const send = async (driver_ids: ReadonlyArray<number>, force = false) => {
    setRefusal(undefined)
    try {
      if (scope !== "this") {
        await changeGroup(trip, scope, {}, { driver_ids, ...(force ? { force } : {}) }, words)
        onChange()
        return
      }
      const { drivers, warnings } = await api.trips.assign({ id, driver_ids, ...(force ? { force } : {}) })
      const token = drivers.find(({ driver_token }) => driver_token !== null)?.driver_token
      setLink(token === undefined || token === null ? undefined : driverLink(token))
      const isRefused = warnings.some(({ type }) => type === "refused_driver")
      changed(isRefused ? `${words.saved} ${words.refusedDriver}` : words.saved, words, (again) =>
        api.trips.assign({ id, driver_ids: ids, ...(again && { force: true }) }).then(onChange)
      )
      onChange()
    } catch (error) {
      const failure = failureOf(error)
      if (failure.type === "confirmation_required") setRefusal({ reason: failure.message, ids: driver_ids })
      else toast(failure.isPassing ? failureText(failure, words) : failure.message)
    }
  }

  return (
    <section class="card record">
      <h2>{words.driver}</h2>
      {own.length === 0 && <p class="muted">{words.nobody}</p>}
      <ul class="item-list" hidden={own.length === 0}>
        {own.map((driver) => {
          const { driver_id, name, status } = driver
          return (
            <li key={driver_id}>
              <span>
                <bdi>{name}</bdi> <span class="muted small">{words[status]}</span>{" "}
                {isOpen && <AnswerChip driver={driver} words={words} />}
              </span>
              {mayEdit && (
                <button
                  type="button"
                  class="button small-button"
                  onClick={() => void send(ids.filter((other) => other !== driver_id))}
                >
                  {words.remove}
                  <span class="unseen"> {name}</span>
                </button>
              )}
            </li>
          )
        })}
      </ul>
      {isOpen && (
        <Declined
          drivers={trip.drivers.filter(
            ({ declined_at, driver_id }) => declined_at !== null && !ids.includes(driver_id)
          )}
          words={words}
        />
      )}
      {refusal !== undefined && (
        <Notice tone="warn" role="alert">
          {refusal.reason}{" "}
          <button type="button" class="link" onClick={() => void send(refusal.ids, true)}>
            {words.assignAnyway}
          </button>
        </Notice>
      )}
      {link !== undefined && (
        <Notice tone="good" role="status">
          {words.driverLink}{" "}
          <button
            type="button"
            class="link"
            onClick={() => void navigator.clipboard.writeText(link).then(() => toast(words.copiedHere))}
          >
            {words.copy}
          </button>
        </Notice>
      )}
      {mayEdit && (
        <Loaded reading={reading} words={words} heights={[40]}>
          {(drivers) => (
            <div class="filters">
              {trip.group_id !== null && (
                <label class="scope">
                  <span class="small">{words.applyTo}</span>
                  <select value={scope} onChange={({ currentTarget: { value } }) => setScope(scopeOf(value))}>
                    {scopes.map((name) => (
                      <option key={name} value={name}>
                        {words[`apply_${name}`]}
                      </option>
                    ))}
                  </select>
                </label>
              )}
              <label>
                <span class="small">{words.assign}</span>
                <select
                  value=""
                  onChange={({ currentTarget: { value } }) => {
                    if (value !== "") void send([...ids, Number(value)])
                  }}
                >
                  <option value="">{words.chooseDriver}</option>
                  {drivers
                    .filter(({ driver_id }) => !ids.includes(driver_id))
                    .map(({ driver_id, name }) => (
                      <option key={driver_id} value={driver_id}>
                        {name}
                      </option>
                    ))}
                </select>
              </label>
            </div>
          )}
        </Loaded>
      )}
    </section>
  )
}
