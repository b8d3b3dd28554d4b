/** What is known of the flight of a trip, in a few words. */
import type { Trip } from "@livery/client"
import type { JSX } from "preact"
import { Badge, type Tone } from "../../components/Notice.tsx"
import { fill } from "../../i18n/Format.ts"
import { timeOf } from "../Formats.ts"
import type { AppWords } from "../words/en.ts"

type Status = NonNullable<Trip["flight_status"]>

const isLost = ({ state }: Status) => state === "cancelled" || state === "diverted"

/** Minutes that the flight is later than scheduled; earlier ones are negative. */
const minutesLate = ({ estimated, landed, scheduled }: Status) => {
  const arrival = landed ?? estimated
  return arrival === null || scheduled === null
    ? 0
    : Math.round((Date.parse(arrival) - Date.parse(scheduled)) / 60_000)
}

const textOf = (status: Status, words: AppWords) => {
  const { estimated, landed, pickup, scheduled, state } = status
  const late = minutesLate(status)
  const arrival = landed ?? estimated ?? scheduled
  const time = arrival === null ? "" : timeOf(arrival)
  const told = {
    cancelled: words.flight_cancelled,
    diverted: words.flight_diverted,
    landed: fill(words.flight_landed, { time }),
    active: time,
    scheduled: time
  }[state]
  const effect = {
    kept: words.flight_kept,
    clash: words.flight_clash,
    limited: words.flight_limited,
    moved: "",
    unchanged: ""
  }[pickup]
  return [
    late === 0 || isLost(status) ? told : `${told} (${late > 0 ? "+" : "−"}${Math.abs(late)})`,
    isLost(status) ? "" : effect
  ]
    .filter((part) => part !== "")
    .join(", ")
}

const toneOf = (status: Status): Tone => {
  if (isLost(status) || status.pickup === "clash") return "bad"
  return status.pickup === "limited" || (status.pickup === "kept" && minutesLate(status) !== 0)
    ? "warn"
    : "plain"
}

export const FlightChip = ({
  status,
  words
}: {
  readonly status: Trip["flight_status"]
  readonly words: AppWords
}): JSX.Element | null =>
  status === null ? null : <Badge tone={toneOf(status)}>{textOf(status, words)}</Badge>
