/** Beside the board: the selected job, what can be done with it, and where everybody is. */
import type { JSX } from "preact"
import { Badge, Notice, type Tone } from "../../components/Notice.tsx"
import { Facts } from "../../components/Facts.tsx"
import { dayOf, money, timeOf } from "../Formats.ts"
import { mayWrite } from "../Member.ts"
import { AnswerChip, Declined } from "../parts/AnswerChip.tsx"
import { FlightChip } from "../parts/FlightChip.tsx"
import { Keys } from "../parts/Keys.tsx"
import { changeLayout, layout } from "../Preferences.ts"
import { hrefOf } from "../Router.ts"
import { BoardMap } from "./BoardMap.tsx"
import { commandsOf } from "./Commands.ts"
import { driversOf, isOver, type Job, spanOf, type State, stateOf } from "./Jobs.ts"
import { ProposalOf } from "./Plan.tsx"
import { dialog, select, selectedJob } from "./state.ts"
import { warningText } from "./Warnings.ts"
import type { BoardWords } from "./words/en.ts"

type Worded = { readonly words: BoardWords }

const tones: Readonly<Record<State, Tone>> = {
  pending: "warn",
  unassigned: "warn",
  declined: "warn",
  assigned: "plain",
  accepted: "good",
  coming: "good",
  arrived: "good",
  onBoard: "good",
  noShow: "bad",
  completed: "plain",
  cancelled: "bad"
}

const Drivers = ({ job, words }: Worded & { readonly job: Job }) => {
  const crew = driversOf(job)
  return (
    <>
      {crew.length === 0 && words.nobody}
      {crew.map((driver) => {
        const { car, driver_id, name } = driver
        return (
          <div key={driver_id}>
            <button
              type="button"
              class="link"
              onClick={() => {
                dialog.value = { kind: "driver", driver: driver_id }
              }}
            >
              <bdi>{name}</bdi>
            </button>
            {car !== null && <span class="muted"> {car.plate_number ?? car.name}</span>}{" "}
            {!isOver(job) && <AnswerChip driver={driver} words={words} />}
          </div>
        )
      })}
      {!isOver(job) && <Declined drivers={job.declined} words={words} />}
    </>
  )
}

const Detail = ({ job, words }: Worded & { readonly job: Job }) => {
  const [from, to] = spanOf(job)
  const state = stateOf(job)
  return (
    <section class="card record" aria-label={job.reference}>
      <div class="record-head">
        <h2>
          {timeOf(from)}–{timeOf(to)}
        </h2>
        <Badge tone={tones[state]}>{words[state]}</Badge>
      </div>
      {!isOver(job) &&
        job.warnings.map((warning, index) => (
          <Notice key={index} tone="warn">
            {warningText(warning, words)}
          </Notice>
        ))}
      <Facts
        facts={[
          [words.passenger, <bdi key="name">{job.customer_name}</bdi>],
          [words.phone, job.customer_phone && <a href={`tel:${job.customer_phone}`}>{job.customer_phone}</a>],
          [words.from, <bdi key="from">{job.pickup_address}</bdi>],
          [words.stops, job.stops.length > 0 && job.stops.map(({ address }) => address).join(" · ")],
          [words.to, <bdi key="to">{job.dropoff_address}</bdi>],
          [
            words.flight,
            job.flight_number !== null && (
              <>
                {job.flight_number} <FlightChip status={job.flight_status} words={words} />
              </>
            )
          ],
          [words.driver, <Drivers key="drivers" job={job} words={words} />],
          [words.class, job.vehicle_class && words[job.vehicle_class]],
          [words.people, job.participants_count],
          [words.group, job.group_id],
          [words.price, money(job.total_amount, job.currency)],
          [words.notes, job.notes && <bdi key="notes">{job.notes}</bdi>],
          [words.internal, job.internal_notes && <bdi key="internal">{job.internal_notes}</bdi>],
          [
            words.reference,
            <a key="reference" href={hrefOf(`/trips/${job.trip_id}`)}>
              {job.reference}
            </a>
          ],
          [words.day, dayOf(from)]
        ]}
      />
      {mayWrite("operations") && <ProposalOf job={job} words={words} />}
      {mayWrite("operations") ? (
        <div class="job-actions">
          {commandsOf(job, words).map(({ key, label, run }) => (
            <button key={label} type="button" class="button small-button" onClick={() => run()}>
              {label}
              {key !== "" && <Keys of={key} words={words} />}
            </button>
          ))}
        </div>
      ) : (
        <p class="muted small">{words.readOnly}</p>
      )}
    </section>
  )
}

export const Panel = ({ words }: Worded): JSX.Element => {
  const job = selectedJob.value
  return (
    <aside class="panel" aria-label={words.selectedJob}>
      {job === undefined ? (
        <p class="muted card record">{words.selectHint}</p>
      ) : (
        <>
          <button type="button" class="button small-button close" onClick={() => select(undefined)}>
            {words.close}
          </button>
          <Detail job={job} words={words} />
        </>
      )}
      <details
        open={layout.value.isMapClosed !== true}
        onToggle={({ currentTarget: { open } }) => {
          if (open === (layout.value.isMapClosed === true)) changeLayout({ isMapClosed: !open })
        }}
      >
        <summary>{words.map}</summary>
        <BoardMap words={words} />
      </details>
    </aside>
  )
}
