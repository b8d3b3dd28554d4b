/** The state of a trip in a word, with an icon: its colour alone never tells it. */
import type { TripStatus } from "@livery/client"
import type { JSX } from "preact"
import { Badge, type Tone } from "../../components/Notice.tsx"
import type { IconName } from "../../components/Icon.tsx"
import type { TripsWords } from "./words/en.ts"

export const tripStates: Readonly<Record<TripStatus, readonly [Tone, IconName]>> = {
  pending: ["warn", "clock"],
  confirmed: ["plain", "check"],
  in_progress: ["good", "car"],
  completed: ["good", "check"],
  cancelled: ["bad", "cross"]
}

export const paymentStates = ["unpaid", "partial", "paid"] as const

export const StatusBadge = ({
  status,
  words
}: {
  readonly status: TripStatus
  readonly words: TripsWords
}): JSX.Element => {
  const [tone, icon] = tripStates[status]
  return (
    <Badge tone={tone} icon={icon}>
      {words[status]}
    </Badge>
  )
}
