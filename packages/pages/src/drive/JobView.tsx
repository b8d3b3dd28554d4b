/** One job: where to, the one action that comes next, and what the driver has to know. */
import type { ComponentChildren, JSX } from "preact"
import { useEffect, useState } from "preact/hooks"
import { Dialog } from "../components/Dialog.tsx"
import { Facts } from "../components/Facts.tsx"
import { Icon } from "../components/Icon.tsx"
import { Notice } from "../components/Notice.tsx"
import { Time } from "../components/Time.tsx"
import { fill } from "../i18n/Format.ts"
import { format } from "../i18n/Language.ts"
import { type Job, nextReport, nextStop, noShowFrom, phaseOf, type Report, target } from "./Job.ts"
import { mapAddress, navigationAddress } from "./Navigation.ts"
import { GreetingSign } from "./GreetingSign.tsx"
import { answerEarly, asksEarly, isList, now, office, tap, watch } from "./state.ts"
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

const Question = ({
  children,
  no,
  onNo,
  onYes,
  title,
  yes
}: {
  readonly title: string
  readonly yes: string
  readonly no: string
  readonly onYes: () => void
  readonly onNo: () => void
  readonly children: ComponentChildren
}) => (
  <Dialog title={title} onClose={onNo}>
    <p>{children}</p>
    <div class="actions">
      <button type="button" class="button primary" onClick={onYes}>
        {yes}
      </button>
      <button type="button" class="button" onClick={onNo}>
        {no}
      </button>
    </div>
  </Dialog>
)

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

const tel = (phone: string) => `tel:${phone.replaceAll(/[^+\d]/gu, "")}`

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

const clock = (milliseconds: number) => {
  const seconds = Math.ceil(milliseconds / 1000)
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`
}

const NoShow = ({ job, onReport, words }: Parts & { readonly onReport: () => void }) => {
  const from = noShowFrom(job)
  if (from === undefined) return null
  const left = from - now.value
  return (
    <button
      type="button"
      class="button"
      aria-disabled={left > 0 ? "true" : undefined}
      onClick={() => left <= 0 && onReport()}
    >
      {words.noShow}
      {left > 0 && <span class="muted small">{fill(words.possibleIn, { time: clock(left) })}</span>}
    </button>
  )
}

const Details = ({ job, words }: Parts) => {
  const { car } = job
  const seats = job.child_seats.map(({ count, type }) => `${format.number(count)} × ${type}`).join(", ")
  const numberOf = (value: number | null) => (value === null ? null : format.number(value))
  const text = (value: string | null | undefined) => (value ? <bdi>{value}</bdi> : null)
  return (
    <section class="card" aria-label={words.details}>
      <Facts
        facts={[
          [words.passenger, text(job.customer_name)],
          [words.people, numberOf(job.participants_count)],
          [words.pickup, text(job.pickup_address)],
          ...job.stops.map(
            (stop, index) =>
              [
                fill(words.stop, { number: format.number(index + 1) }),
                text([stop.address, stop.contact].filter(Boolean).join(", "))
              ] as const
          ),
          [words.dropoff, text(job.dropoff_address)],
          [words.flight, text([job.flight_number, job.terminal].filter(Boolean).join(", "))],
          [words.luggage, numberOf(job.luggage_count)],
          [words.childSeats, text(seats)],
          [
            words.car,
            text(
              car && [car.name, car.color, car.make, car.model, car.plate_number].filter(Boolean).join(", ")
            )
          ]
        ]}
      />
      {[job.special_requirements, job.notes].map(
        (note) =>
          note && (
            <Notice key={note}>
              <p class="note" dir="auto">
                {note}
              </p>
            </Notice>
          )
      )}
    </section>
  )
}

export const JobView = ({ job, words }: Parts): JSX.Element => {
  const [asks, ask] = useState<"finish" | "noShow" | "sign">()
  const phase = phaseOf(job)
  const isUnderWay = job.status === "en_route"
  useEffect(() => (isUnderWay ? watch() : undefined), [isUnderWay])
  const next = nextReport(job)
  const hasEnded = phase === "done" || phase === "cancelled"
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
      {!hasEnded && <Calls job={job} words={words} onSign={() => ask("sign")} />}
      <NoShow job={job} words={words} onReport={() => ask("noShow")} />
      {next !== undefined && (
        <div class="next">
          <button
            type="button"
            class="button primary"
            onClick={() => (next.status === "completed" ? ask("finish") : send(next))}
          >
            {actionOf(job, next, words)}
          </button>
        </div>
      )}
      {!hasEnded && <Details job={job} words={words} />}
      {asks === "finish" && next !== undefined && (
        <Question
          title={words.finishAsk}
          yes={actionOf(job, next, words)}
          no={words.cancel}
          onYes={() => send(next)}
          onNo={close}
        >
          {words.finishHelp}
        </Question>
      )}
      {asks === "noShow" && (
        <Question
          title={words.noShowAsk}
          yes={words.noShow}
          no={words.cancel}
          onYes={() => send({ milestone: "no_show" })}
          onNo={close}
        >
          {words.noShowHelp}
        </Question>
      )}
      {asksEarly.value && (
        <Question
          title={words.earlyAsk}
          yes={words.setOut}
          no={words.cancel}
          onYes={() => void answerEarly(true)}
          onNo={() => void answerEarly(false)}
        >
          <Time at={job.trip_date} zone={job.pickup_timezone} words={words} />
        </Question>
      )}
      {asks === "sign" && <GreetingSign job={job} onClose={close} words={words} />}
    </>
  )
}
