/** The board as a list, for narrow screens and for reader programs: the jobs in the order of time. */
import { useComputed, useSignalEffect } from "@preact/signals"
import type { JSX } from "preact"
import { useEffect, useRef } from "preact/hooks"
import { Badge, type Tone } from "../../components/Notice.tsx"
import { EmptyState } from "../../components/EmptyState.tsx"
import { timeOf } from "../Formats.ts"
import { FlightChip } from "../parts/FlightChip.tsx"
import { driversOf, isIn, type Job, plateOf, spanOf, stateOf } from "./Jobs.ts"
import { proposals } from "./plan.ts"
import { now, select, selected, stepped } from "./state.ts"
import type { BoardWords } from "./words/en.ts"

const toneOf = (job: Job): Tone => {
  if (isIn.clash(job) || isIn.late(job)) return "bad"
  const state = stateOf(job)
  if (["pending", "declined", "unassigned"].includes(state)) return "warn"
  return state === "coming" || state === "arrived" || state === "onBoard" ? "good" : "plain"
}

const Item = ({ job, words }: { readonly job: Job; readonly words: BoardWords }) => {
  const isSelected = useComputed(() => selected.value === job.trip_id)
  const [from, to] = spanOf(job)
  const crew = driversOf(job)
    .map(({ name }) => name)
    .join(", ")
  const plate = plateOf(job)
  const proposal = proposals.value.get(job.trip_id)
  return (
    <li>
      <button
        type="button"
        class={isSelected.value ? "job-item selected" : "job-item"}
        aria-pressed={isSelected.value}
        data-trip={job.trip_id}
        onClick={() => select(job.trip_id)}
      >
        <span class="job-item-head">
          <b>
            {timeOf(from)}–{timeOf(to)}
          </b>
          <Badge tone={toneOf(job)} icon={isIn.late(job) ? "clock" : isIn.clash(job) ? "alert" : undefined}>
            {isIn.late(job) ? words.late : isIn.clash(job) ? words.clash : words[stateOf(job)]}
          </Badge>
        </span>
        <bdi>{job.customer_name}</bdi>
        <span class="muted">
          <bdi>{job.pickup_address}</bdi> → <bdi>{job.dropoff_address}</bdi>
        </span>
        <span>
          <bdi>{crew === "" ? words.nobody : crew}</bdi>
          {plate !== null && <span class="muted"> · {plate}</span>}
          {job.flight_number !== null && <span class="muted"> · {job.flight_number}</span>}{" "}
          <FlightChip status={job.flight_status} words={words} />
        </span>
        {proposal !== undefined && (
          <span class="proposed">
            {words.planProposal}: <bdi>{proposal.driver_name}</bdi>
          </span>
        )}
      </button>
    </li>
  )
}

export const JobList = ({ words }: { readonly words: BoardWords }): JSX.Element => {
  const list = useRef<HTMLOListElement>(null)
  useSignalEffect(() => {
    const id = selected.value
    const { activeElement } = document
    const isFree = activeElement === document.body || list.current?.contains(activeElement)
    requestAnimationFrame(() => {
      const item = list.current?.querySelector<HTMLElement>(`[data-trip="${id}"]`)
      item?.scrollIntoView({ block: "nearest" })
      if (isFree) item?.focus({ preventScroll: true })
    })
  })
  // The list begins at the jobs that are not over.
  useEffect(() => {
    const next = stepped.value.find((job) => spanOf(job)[1] > now.value)
    list.current?.querySelector(`[data-trip="${next?.trip_id}"]`)?.scrollIntoView({ block: "start" })
  }, [])
  if (stepped.value.length === 0) return <EmptyState icon="calendar" title={words.noMatch} />
  return (
    <ol class="job-list" ref={list} aria-label={words.jobs}>
      {stepped.value.map((job) => (
        <Item key={job.trip_id} job={job} words={words} />
      ))}
    </ol>
  )
}
