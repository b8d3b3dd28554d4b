/** The plan of the board: the strip above it, a ghost in the row of a driver, and the reason beside the selected job. */
import { useComputed } from "@preact/signals"
import type { JSX } from "preact"
import { failureText } from "../../components/Failed.tsx"
import { Notice } from "../../components/Notice.tsx"
import { fill } from "../../i18n/Format.ts"
import { format } from "../../i18n/Language.ts"
import { timeOf } from "../Formats.ts"
import { Keys } from "../parts/Keys.tsx"
import { type Job, spanOf } from "./Jobs.ts"
import {
  accept,
  acceptAll,
  discard,
  isPlanning,
  plan,
  planFailure,
  type Proposal,
  proposals
} from "./plan.ts"
import { leastWidth } from "./Bar.tsx"
import { barHeight } from "./Rows.ts"
import { jobs, select, selected } from "./state.ts"
import { warningsOf, warningText } from "./Warnings.ts"
import type { BoardWords } from "./words/en.ts"

type Worded = { readonly words: BoardWords }

const kilometres = (metres: number) => format.number(Math.round(metres / 100) / 10)

const originText = ({ after_trip_id, empty_m, origin }: Proposal, words: BoardWords): string => {
  const reference =
    after_trip_id === null ? "" : (jobs.value.get(after_trip_id)?.reference ?? `#${after_trip_id}`)
  const km = kilometres(empty_m)
  if (origin === "unknown") return words.planFromUnknown
  return fill(origin === "home" ? words.planFromHome : words.planFromTrip, { km, trip: reference })
}

/** Why the plan gives a job to its driver, in one sentence or two. */
const reasonText = (proposal: Proposal, words: BoardWords): string =>
  `${originText(proposal, words)} ${words[`plan_${proposal.reason}`]}`

/** What became of the plan, with the buttons that accept all of it or leave it. */
export const PlanStrip = ({ words }: Worded): JSX.Element | null => {
  const failure = planFailure.value
  if (isPlanning.value)
    return (
      <Notice role="status" icon="info">
        {words.planWorking}
      </Notice>
    )
  const made = plan.value
  if (made === undefined)
    return failure === undefined ? null : <Notice tone="bad">{failureText(failure, words)}</Notice>
  const open = proposals.value.size
  return (
    <div class="plan" role="region" aria-label={words.plan}>
      {failure !== undefined && (
        <Notice tone="bad" role="alert">
          {words.planRefused} {failureText(failure, words)}{" "}
          {warningsOf(failure)
            .slice(0, 3)
            .map((warning) => warningText(warning, words))
            .join(" ")}
        </Notice>
      )}
      <p role="status">
        {open === 0
          ? words.planEmpty
          : fill(words.planFound, {
              count: format.number(open),
              km: kilometres(made.after.empty_m),
              nearest: kilometres(made.nearest_free.empty_m)
            })}{" "}
        {made.unassigned.length > 0 && fill(words.planLeft, { count: format.number(made.unassigned.length) })}
      </p>
      {open > 0 && (
        <button type="button" class="button primary small-button" onClick={() => void acceptAll(words)}>
          {words.planAcceptAll} <Keys of="w" words={words} />
        </button>
      )}
      <button type="button" class="button small-button" onClick={discard}>
        {words.planDiscard}
      </button>
    </div>
  )
}

/** A job in the row of the driver whom the plan proposes. */
export const Ghost = ({
  job,
  level,
  place,
  words
}: Worded & {
  readonly job: Job
  readonly level: number
  readonly place: (time: number) => number
}): JSX.Element | null => {
  const isSelected = useComputed(() => selected.value === job.trip_id)
  const proposal = proposals.value.get(job.trip_id)
  if (proposal === undefined) return null
  const [from, to] = spanOf(job)
  const start = place(from)
  const reason = reasonText(proposal, words)
  const label = `${timeOf(from)} ${job.pickup_address} → ${job.dropoff_address}`
  return (
    <button
      type="button"
      class={isSelected.value ? "job ghost selected" : "job ghost"}
      tabIndex={isSelected.value ? 0 : -1}
      aria-pressed={isSelected.value}
      aria-label={`${label}. ${words.planProposal}: ${proposal.driver_name}. ${reason}`}
      title={reason}
      data-ghost={job.trip_id}
      style={{
        insetInlineStart: `${start}px`,
        insetBlockStart: `${level * barHeight + 4}px`,
        inlineSize: `${Math.max(leastWidth, place(to) - start - 2)}px`
      }}
      onClick={() => select(job.trip_id)}
    >
      <span class="when">
        <b>{timeOf(from)}</b>
      </span>{" "}
      <span class="what">
        {job.pickup_address} → {job.dropoff_address}
      </span>
    </button>
  )
}

/** The proposal for the selected job: the driver, the reason, and the next drivers. */
export const ProposalOf = ({ job, words }: Worded & { readonly job: Job }): JSX.Element | null => {
  const proposal = proposals.value.get(job.trip_id)
  if (proposal === undefined) return null
  return (
    <div class="proposal" role="group" aria-label={words.planProposal}>
      <p>
        <b>{words.planProposal}:</b> <bdi>{proposal.driver_name}</bdi>. {reasonText(proposal, words)}
      </p>
      {proposal.candidates.length > 0 && (
        <p class="muted small">
          {words.planNext}{" "}
          {proposal.candidates
            .map(({ added_m, driver_name }) => `${driver_name} (+${kilometres(added_m)} km)`)
            .join(", ")}
        </p>
      )}
      <button
        type="button"
        class="button primary small-button"
        onClick={() => void accept([job.trip_id], words)}
      >
        {words.planAccept} <Keys of="y" words={words} />
      </button>
    </div>
  )
}
