/** One job: where to, the one action that comes next, and what the driver has to know. */
import type { JSX } from "preact"
import { useEffect, useState } from "preact/hooks"
import { Icon } from "../components/Icon.tsx"
import { Time } from "../components/Time.tsx"
import { fill } from "../i18n/Format.ts"
import { format } from "../i18n/Language.ts"
import { hasEnded, type Job, nextReport, nextStop, phaseOf, type Report, target, tel } from "./Job.ts"
import { mapAddress, navigationAddress } from "./Navigation.ts"
import type { Asked } from "./later/Dialogs.tsx"
import { isList, later, office, tap, watch } from "./state.ts"
import type { DriveWords } from "./words/en.ts"

type Parts = { readonly job: Job; readonly words: DriveWords }

/** The words on the button of a report. */
const actionOf = (job: Job, { milestone, status, stop_index = 0 }: Report, words: DriveWords) => {
  if (status === "en_route") return words.setOut
  if (status === "completed") return phaseOf(job) === "noShow" ? words.close : words.finish
  if (milestone === "arrived_at_pickup") return words.arrive
  if (milestone === "passenger_on_board") return words.board
  return fill(words.atStop, { number: format.number(stop_index + 1) })
}

const Target = ({ job, words }: Parts) => {
  const place = target(job)
  if (place === undefined) return null
  const phase = phaseOf(job)
  const stop = phase === "onBoard" ? nextStop(job) : undefined
  const name =
    phase !== "onBoard"
      ? words.pickup
      : stop === undefined
        ? words.dropoff
        : fill(words.stop, { number: format.number(stop + 1) })
  return (
    <div class="target">
      <p class="muted">{name}</p>
      <p class="address" dir="auto">
        {place.address}
      </p>
      <div class="actions">
        <a class="button" href={navigationAddress(place)}>
          <Icon name="pin" />
          {words.navigate}
        </a>
        <a class="button" href={mapAddress(place)} target="_blank" rel="noreferrer">
          {words.map}
        </a>
      </div>
    </div>
  )
}

const Calls = ({ job, onSign, words }: Parts & { readonly onSign: () => void }) => {
  const passenger = job.passengers.find(({ phone }) => phone !== null)?.phone ?? job.customer_phone
  const officePhone = office.value?.phone ?? null
  return (
    <div class="actions calls">
      {passenger !== null && (
        <a class="button" href={tel(passenger)}>
          <Icon name="phone" />
          {words.callPassenger}
        </a>
      )}
      {officePhone !== null && (
        <a class="button" href={tel(officePhone)}>
          <Icon name="phone" />
          {words.callOffice}
        </a>
      )}
      {phaseOf(job) !== "onBoard" && (
        <button type="button" class="button" onClick={onSign}>
          {words.sign}
        </button>
      )}
    </div>
  )
}

export const JobView = ({ job, words }: Parts): JSX.Element => {
  const [asks, ask] = useState<Asked>()
  const phase = phaseOf(job)
  const isUnderWay = job.status === "en_route"
  useEffect(() => (isUnderWay ? watch() : undefined), [isUnderWay])
  const next = nextReport(job)
  const isOver = hasEnded(job)
  const Later = later.value?.Later
  const close = () => ask(undefined)
  const send = (body: Report) => {
    close()
    tap(body)
  }
  return (
    <>
      {!isList && location.hash.startsWith("#job=") && (
        <p>
          <a class="back" href="./drive">
            {words.jobs}
          </a>
        </p>
      )}
      <section class="card">
        <div role="status">
          <h1>{words.phases[phase]}</h1>
        </div>
        <p>
          <Time at={job.trip_date} zone={job.pickup_timezone} words={words} />
          {" · "}
          <bdi>{job.customer_name}</bdi>
        </p>
        <Target job={job} words={words} />
      </section>
      {!isOver && <Calls job={job} words={words} onSign={() => ask("sign")} />}
      {next !== undefined && (
        <div class="next">
          <button
            type="button"
            class="button primary"
            onClick={() => {
              if (next.status === "completed") ask("finish")
              else if (next.milestone === "passenger_on_board" && job.pickup_pin_required) ask("pin")
              else send(next)
            }}
          >
            {actionOf(job, next, words)}
          </button>
        </div>
      )}
      {Later !== undefined && (
        <Later
          ask={ask}
          action={next === undefined ? "" : actionOf(job, next, words)}
          asks={asks}
          close={close}
          hasEnded={isOver}
          job={job}
          next={next}
          send={send}
          words={words}
        />
      )}
    </>
  )
}
