/** Chooses a driver by letters of the name. What stands against each is shown before; the server judges the chosen one. */
import type { JSX } from "preact"
import { useEffect, useMemo, useState } from "preact/hooks"
import { type Failure, failureOf } from "../../../api/Failure.ts"
import { Dialog } from "../../../components/Dialog.tsx"
import { failureText } from "../../../components/Failed.tsx"
import { Notice } from "../../../components/Notice.tsx"
import { fill } from "../../../i18n/Format.ts"
import { allOf, api } from "../../Api.ts"
import { timeOf } from "../../Formats.ts"
import { assign } from "../Actions.ts"
import { tryCrews, type Verdict } from "../DryRun.ts"
import { burdenOf, type Candidate, candidateOf, isNamed } from "../Facts.ts"
import { driversOf, type Job, spanOf } from "../Jobs.ts"
import { objectionsOf } from "../Objections.ts"
import { cars, drivers, type Entry } from "../state.ts"
import { warningsOf, warningText } from "../Warnings.ts"
import type { BoardWords } from "../words/en.ts"

/** How long a driver is highlighted before the server is asked, in milliseconds. */
const rest = 80

const Around = ({
  candidate: { after, before },
  words
}: {
  readonly candidate: Candidate
  readonly words: BoardWords
}) => {
  const parts = [
    before && fill(words.freeFrom, { time: timeOf(spanOf(before)[1]) }),
    after && fill(words.freeUntil, { time: timeOf(spanOf(after)[0]) })
  ].filter((part) => part !== undefined)
  return <span class="muted small">{parts.join(" · ")}</span>
}

const plateOfDriver = (id: number | null) => {
  const car = cars.value.find(({ car_id }) => car_id === id)
  return car?.plate_number ?? car?.name ?? ""
}

export const AssignDialog = ({
  job,
  onClose,
  words
}: {
  readonly job: Job
  readonly onClose: () => void
  readonly words: BoardWords
}): JSX.Element => {
  const [typed, setTyped] = useState("")
  const [at, setAt] = useState(0)
  const [isAdding, setAdding] = useState(false)
  const [verdict, setVerdict] = useState<{ readonly driver: number; readonly of: Verdict | undefined }>()
  const [refusal, setRefusal] = useState<{ readonly driver: number; readonly of: Failure }>()
  const [isBusy, setBusy] = useState(false)
  const [free, setFree] = useState<ReadonlySet<number>>()
  useEffect(() => {
    const [from, to] = spanOf(job).map((time) => new Date(time).toISOString())
    if (from === undefined || to === undefined) return
    allOf(api.drivers.free({ from, to, per_page: 100 })).then(
      (found) => setFree(new Set(found.map(({ driver_id }) => driver_id))),
      () => undefined
    )
  }, [])
  const crew = driversOf(job).map(({ driver_id }) => driver_id)
  const candidates = useMemo(
    () =>
      drivers.value
        .filter(({ active, driver_id }) => active && !crew.includes(driver_id))
        .map((driver) => candidateOf(driver, job, free))
        .sort((a, b) => burdenOf(a) - burdenOf(b) || a.driver.name.localeCompare(b.driver.name)),
    [job, drivers.value, free]
  )
  const found = candidates.filter(({ driver }) => isNamed(driver.name, typed))
  const present = Math.min(at, Math.max(0, found.length - 1))
  const chosen = found[present]?.driver
  const entryOf = (id: number): Entry => ({
    trip_id: job.trip_id,
    driver_ids: isAdding ? [...crew, id] : [id]
  })

  useEffect(() => {
    if (chosen === undefined) return undefined
    const { driver_id } = chosen
    const timer = setTimeout(() => {
      tryCrews([entryOf(driver_id)]).then(
        (of) => setVerdict({ driver: driver_id, of }),
        () => undefined
      )
    }, rest)
    return () => clearTimeout(timer)
  }, [chosen?.driver_id, isAdding])

  const judged = verdict?.driver === chosen?.driver_id ? verdict?.of : undefined
  const refused = refusal !== undefined && refusal.driver === chosen?.driver_id ? refusal.of : judged?.refusal
  const warnings = refused === undefined ? (judged?.warnings ?? []) : warningsOf(refused)
  const isForced = refusal !== undefined && refusal.driver === chosen?.driver_id && warnings.length > 0

  const choose = async (driver = chosen) => {
    if (driver === undefined || isBusy) return
    setBusy(true)
    try {
      const label = fill(words.assignedTo, { trip: job.reference, driver: driver.name })
      const force = isForced && driver.driver_id === chosen?.driver_id
      await assign([entryOf(driver.driver_id)], label, words, force)
      onClose()
    } catch (error) {
      setAt(found.findIndex((candidate) => candidate.driver.driver_id === driver.driver_id))
      setRefusal({ driver: driver.driver_id, of: failureOf(error) })
    }
    setBusy(false)
  }
  const move = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined && found.length > 0) {
      event.preventDefault()
      setAt((present + step + found.length) % found.length)
    } else if (event.key === "Enter") {
      event.preventDefault()
      void choose()
    }
  }
  return (
    <Dialog title={fill(words.assignTitle, { trip: job.reference })} onClose={onClose}>
      <p class="muted small">
        {timeOf(job.trip_date)} <bdi>{job.pickup_address}</bdi> → <bdi>{job.dropoff_address}</bdi>
      </p>
      <div class="combobox palette">
        <input
          class="search"
          type="text"
          role="combobox"
          aria-label={words.driverName}
          aria-expanded="true"
          aria-controls="assign-items"
          aria-activedescendant={chosen && `assign-${chosen.driver_id}`}
          placeholder={words.driverName}
          value={typed}
          onInput={({ currentTarget: { value } }) => {
            setTyped(value)
            setAt(0)
          }}
          onKeyDown={move}
        />
        <ul id="assign-items" role="listbox" aria-label={words.drivers}>
          {found.map((candidate, index) => {
            const { driver } = candidate
            const objections = objectionsOf(candidate, words)
            return (
              <li
                key={driver.driver_id}
                id={`assign-${driver.driver_id}`}
                role="option"
                aria-selected={index === present}
                ref={(element) => {
                  if (index === present) element?.scrollIntoView({ block: "nearest" })
                }}
                onClick={() => void choose(driver)}
              >
                <span>
                  <span>
                    <bdi>{driver.name}</bdi>{" "}
                    <span class="muted small">{plateOfDriver(driver.default_car_id)}</span>
                  </span>
                  {objections.length === 0 ? (
                    <Around candidate={candidate} words={words} />
                  ) : (
                    <span class="small against">{objections.join(" ")}</span>
                  )}
                </span>
              </li>
            )
          })}
        </ul>
        {found.length === 0 && <p class="muted">{words.nothingFound}</p>}
      </div>
      {crew.length > 0 && (
        <label class="check-line">
          <input
            type="checkbox"
            checked={isAdding}
            onChange={({ currentTarget: { checked } }) => setAdding(checked)}
          />
          {words.asFurther}
        </label>
      )}
      <div role="status" class="verdict">
        {refused !== undefined && warnings.length === 0 && (
          <Notice tone="bad">{failureText(refused, words)}</Notice>
        )}
        {warnings.map((warning, index) => (
          <Notice key={index} tone={refused === undefined ? "warn" : "bad"}>
            {warningText(warning, words)}
          </Notice>
        ))}
        {judged !== undefined && refused === undefined && warnings.length === 0 && (
          <Notice tone="good">{words.noObjection}</Notice>
        )}
      </div>
      <div class="actions">
        <button
          type="button"
          class="button primary"
          aria-disabled={isBusy || chosen === undefined ? "true" : undefined}
          onClick={() => void choose()}
        >
          {isForced ? words.assignAnyway : words.assign}
        </button>
        <button type="button" class="button" onClick={onClose}>
          {words.cancel}
        </button>
      </div>
    </Dialog>
  )
}
