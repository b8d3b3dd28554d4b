/** The form of the sandbox: it offers the test cards of the emulated provider. No money moves. */
import type { JSX } from "preact"
import { useState } from "preact/hooks"
import { Field } from "../components/Field.tsx"
import { Notice } from "../components/Notice.tsx"
import { format } from "../i18n/Language.ts"
import type { CardPayment } from "./Invoice.ts"
import { confirm, step } from "./state.ts"
import type { PayWords } from "./words/en.ts"

const cards = {
  pm_card_visa: "4242 4242 4242 4242",
  pm_card_mastercard: "5555 5555 5555 4444",
  pm_card_visa_chargeDeclined: "4000 0000 0000 0002",
  pm_card_visa_chargeDeclinedInsufficientFunds: "4000 0000 0000 9995",
  pm_card_chargeDeclinedExpiredCard: "4000 0000 0000 0069",
  pm_card_chargeDeclinedProcessingError: "4000 0000 0000 0119"
} as const

type CardName = keyof typeof cards

/** Sends the card to the emulated provider. Returns the reason of a refusal. */
const sendCard = async (
  { api_base, publishable_key }: { readonly api_base: string; readonly publishable_key: string },
  { client_secret }: CardPayment,
  card: CardName
): Promise<string | undefined> => {
  const [intent = ""] = client_secret.split("_secret_")
  const response = await fetch(`${api_base}/v1/payment_intents/${intent}/confirm`, {
    method: "POST",
    headers: { Authorization: `Bearer ${publishable_key}` },
    body: new URLSearchParams({ client_secret, payment_method: card })
  })
  if (response.ok) return undefined
  const { error } = (await response.json()) as { readonly error?: { readonly message?: string } }
  return error?.message ?? response.statusText
}

export const TestCard = ({
  card,
  payment,
  words
}: {
  readonly card: { readonly api_base: string; readonly publishable_key: string }
  readonly payment: CardPayment
  readonly words: PayWords
}): JSX.Element => {
  const [chosen, choose] = useState<CardName>("pm_card_visa")
  return (
    <form
      class="stack"
      onSubmit={(event) => {
        event.preventDefault()
        void confirm(() => sendCard(card, payment, chosen))
      }}
    >
      <Notice tone="warn">{words.testOnly}</Notice>
      <Field label={words.testCard}>
        {(control) => (
          <select
            {...control}
            value={chosen}
            onChange={({ currentTarget }) => choose(currentTarget.value as CardName)}
          >
            {Object.entries(cards).map(([name, number]) => (
              <option key={name} value={name}>
                {number}
                {name.includes("Declined") ? ` (${words.testDeclined})` : ""}
              </option>
            ))}
          </select>
        )}
      </Field>
      <button type="submit" class="button primary" aria-disabled={step.value === "sending"}>
        {words.payNow.replace("{amount}", format.money(payment.amount, payment.currency))}
      </button>
    </form>
  )
}
