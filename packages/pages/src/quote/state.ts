/** The state of the quote page. */
import { signal } from "@preact/signals"
import { get, post, tokenInAddress } from "../api/Api.ts"
import { Failure } from "../api/Failure.ts"
import { applyAccent } from "../shell/Brand.ts"
import type { Quote } from "./Quote.ts"

export const quote = signal<Quote | undefined>(undefined)
/** Why the quote could not be read. */
export const failure = signal<Failure | undefined>(undefined)
/** Why the answer was not taken. What was typed stays. */
export const refusal = signal<Failure | undefined>(undefined)
export const isSending = signal(false)
export const isDeclining = signal(false)
/** The name and the reason, as they are typed. */
export const name = signal("")
export const reason = signal("")

const path = () => `/public/quotes/${encodeURIComponent(tokenInAddress() || "-")}`

const failureOf = (error: unknown) =>
  error instanceof Failure ? error : new Failure(0, "unknown", String(error))

/** Reads the quote of the link in the address. */
export const load = async (): Promise<void> => {
  failure.value = undefined
  try {
    const read = await get<Quote>(path())
    applyAccent(read.business.accent_color)
    name.value ||= read.customer_name ?? ""
    quote.value = read
  } catch (error) {
    failure.value = failureOf(error)
  }
}

/** Sends an answer. If another one came first, the quote is read again, which shows it. */
const answer = async (kind: "accept" | "reject", body: unknown) => {
  if (isSending.value) return
  isSending.value = true
  refusal.value = undefined
  try {
    quote.value = await post<Quote>(`${path()}/${kind}`, body)
    isDeclining.value = false
  } catch (error) {
    const failed = failureOf(error)
    refusal.value = failed
    if (failed.details.some(({ field }) => field === "status") || failed.isNotFound) {
      isDeclining.value = false
      refusal.value = undefined
      await load()
    }
  } finally {
    isSending.value = false
  }
}

export const accept = (): Promise<void> => answer("accept", { name: name.value })

export const decline = (): Promise<void> =>
  answer("reject", reason.value.trim() === "" ? {} : { reason: reason.value })
