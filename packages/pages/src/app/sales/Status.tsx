/** The states of quotes and bookings in a word, with an icon: its colour alone never tells the state. */
import type { BookingStatus, PaymentStatus, QuoteStatus } from "@livery/client"
import type { JSX } from "preact"
import { Badge, type Tone } from "../../components/Notice.tsx"
import type { IconName } from "../../components/Icon.tsx"
import type { SalesWords } from "./words/en.ts"

export const quoteStates = ["draft", "sent", "accepted", "converted", "rejected", "expired"] as const
export const bookingStates = ["pending", "confirmed", "completed", "cancelled", "expired"] as const
export const paymentStates = ["unpaid", "partial", "paid"] as const

type State = QuoteStatus | BookingStatus | PaymentStatus

const looks: Readonly<Record<State, readonly [Tone, IconName]>> = {
  draft: ["plain", "info"],
  sent: ["warn", "clock"],
  accepted: ["good", "check"],
  converted: ["good", "car"],
  rejected: ["bad", "cross"],
  expired: ["plain", "clock"],
  pending: ["warn", "clock"],
  confirmed: ["plain", "check"],
  completed: ["good", "check"],
  cancelled: ["bad", "cross"],
  unpaid: ["warn", "clock"],
  partial: ["warn", "clock"],
  paid: ["good", "check"]
}

export const StateBadge = ({
  state,
  words
}: {
  readonly state: State
  readonly words: SalesWords
}): JSX.Element => {
  const [tone, icon] = looks[state]
  return (
    <Badge tone={tone} icon={icon}>
      {words[state]}
    </Badge>
  )
}
