/** Whether a driver accepted a job, in a word with an icon. */
import type { Trip } from "@livery/client"
import type { JSX } from "preact"
import { Badge } from "../../components/Notice.tsx"
import type { AppWords } from "../words/en.ts"

type Driver = Pick<
  Trip["drivers"][number],
  "driver_id" | "name" | "status" | "accepted_at" | "declined_at" | "decline_reason"
>

/** What the driver answered. A driver who is under way needs no answer any more. */
export const AnswerChip = ({
  driver: { accepted_at, declined_at, status },
  words
}: {
  readonly driver: Driver
  readonly words: AppWords
}): JSX.Element | null => {
  if (declined_at !== null)
    return (
      <Badge tone="bad" icon="cross">
        {words.answer_declined}
      </Badge>
    )
  if (status !== "assigned") return null
  return accepted_at === null ? (
    <Badge tone="plain" icon="clock">
      {words.answer_open}
    </Badge>
  ) : (
    <Badge tone="good" icon="check">
      {words.answer_accepted}
    </Badge>
  )
}

/** The drivers who declined, with their reasons. */
export const Declined = ({
  drivers,
  words
}: {
  readonly drivers: ReadonlyArray<Driver>
  readonly words: AppWords
}): JSX.Element => (
  <>
    {drivers.map((driver) => (
      <div key={driver.driver_id}>
        <bdi>{driver.name}</bdi> <AnswerChip driver={driver} words={words} />
        {driver.decline_reason !== null && (
          <span class="muted small">
            {" "}
            <bdi>{driver.decline_reason}</bdi>
          </span>
        )}
      </div>
    ))}
  </>
)
