/** The jobs of a signed-in driver, the soonest first. */
import type { JSX } from "preact"
import { EmptyState } from "../components/EmptyState.tsx"
import { Badge } from "../components/Notice.tsx"
import { Time } from "../components/Time.tsx"
import { type Job, phaseOf } from "./Job.ts"
import { isAccount, later } from "./state.ts"
import type { DriveWords } from "./words/en.ts"

/** Turning push messages on, once the later parts are there. */
const PushOffer = () => {
  const Push = later.value?.Push
  return isAccount && Push !== undefined ? <Push /> : null
}

export const JobList = ({
  jobs,
  words
}: {
  readonly jobs: ReadonlyArray<Job>
  readonly words: DriveWords
}): JSX.Element => {
  const Answered = later.value?.AnswerBadge
  if (jobs.length === 0)
    return (
      <EmptyState icon="calendar" title={words.noJobs}>
        <p class="muted">{words.noJobsHelp}</p>
        <PushOffer />
      </EmptyState>
    )
  return (
    <>
      <h1>{words.jobs}</h1>
      <PushOffer />
      <ul class="jobs">
        {jobs.map((job) => (
          <li key={job.trip_id}>
            <a class="card" href={`#job=${job.trip_id}`}>
              <strong>
                <Time at={job.trip_date} zone={job.pickup_timezone} words={words} />
              </strong>
              <span dir="auto">{job.customer_name}</span>
              <span class="muted" dir="auto">
                {job.pickup_address}
              </span>
              <span class="muted" dir="auto">
                {job.dropoff_address}
              </span>
              <span>
                {job.status === "en_route" ? (
                  <Badge tone="good" icon="car">
                    {words.phases[phaseOf(job)]}
                  </Badge>
                ) : (
                  Answered && <Answered job={job} />
                )}
              </span>
            </a>
          </li>
        ))}
      </ul>
    </>
  )
}
