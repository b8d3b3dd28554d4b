/** The state of the payment page. */
import { signal } from "@preact/signals"
import { apiBase, get, post, valueInAddress } from "../api/Api.ts"
import { Failure } from "../api/Failure.ts"
import { applyAccent } from "../shell/Brand.ts"
import type { CardPayment, Invoice } from "./Invoice.ts"

/** Where a card payment is. `processing`: the card was taken, and the invoice does not say so yet. */
export type CardStep = "closed" | "opening" | "open" | "sending" | "processing"

export const invoice = signal<Invoice | undefined>(undefined)
/** Why the invoice could not be read. */
export const failure = signal<Failure | undefined>(undefined)
export const step = signal<CardStep>("closed")
/** Why the card was not taken, in the words of the bank or of the server. */
export const decline = signal<string | Failure | undefined>(undefined)
export const payment = signal<CardPayment | undefined>(undefined)
/** The part of the amount due that the payer typed; undefined for all of it. */
export const typedAmount = signal<string | undefined>(undefined)

/** The amount that is going to be paid; `NaN` for a text that is no number. */
export const amountOf = ({ amount_due }: Invoice): number =>
  typedAmount.value === undefined ? amount_due : Number(typedAmount.value.replace(",", ".") || "x")

const path = () => `/public/invoices/${encodeURIComponent(valueInAddress("invoice") || "-")}`

/** The address of the invoice's PDF. */
export const pdfAddress = (): string => `${apiBase}${path()}/pdf`

/** Other tabs with the same invoice read it again at once. */
const tabs = new BroadcastChannel("livery-invoice")

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has no target
const tellTabs = () => tabs.postMessage("changed")

const failureOf = (error: unknown) =>
  error instanceof Failure ? error : new Failure(0, "unknown", String(error))

/** Reads the invoice. What is on the screen stays if that fails. */
export const load = async (): Promise<void> => {
  try {
    const read = await get<Invoice>(path())
    if (invoice.value === undefined) applyAccent(read.business.accent_color)
    if (invoice.value !== undefined && invoice.value.amount_due !== read.amount_due) {
      step.value = "closed"
      payment.value = undefined
      typedAmount.value = undefined
      tellTabs()
    }
    invoice.value = read
    failure.value = undefined
  } catch (error) {
    failure.value = failureOf(error)
  }
}

/** Returns to the choice of the amount. */
export const closeCard = (): void => {
  payment.value = undefined
  decline.value = undefined
  step.value = "closed"
}

/**
 * A bank or a wallet that took the payer to its own page leads back with the outcome in the address. It is removed there,
 * because the address also has the secret of the payment.
 */
const readReturn = () => {
  const address = new URL(location.href)
  const outcome = address.searchParams.get("redirect_status")
  if (outcome === null) return
  const names = Array.from(address.searchParams.keys())
  for (const name of names)
    if (/^(?:payment_intent|redirect_status|source_)/u.test(name)) address.searchParams.delete(name)
  history.replaceState(null, "", address)
  if (outcome === "failed") decline.value = ""
  else step.value = "processing"
}

/** Keeps the invoice current: often while a payment is processed, otherwise every few seconds while the page is seen. */
export const begin = (): (() => void) => {
  let timer: ReturnType<typeof setTimeout>
  const again = async () => {
    if (document.visibilityState === "visible" || invoice.value === undefined) await load()
    if (failure.value?.isNotFound === true) return
    timer = setTimeout(() => void again(), step.value === "processing" ? 700 : 5000)
  }
  const readNow = () => void load()
  tabs.addEventListener("message", readNow)
  document.addEventListener("visibilitychange", readNow)
  readReturn()
  void again()
  return () => {
    clearTimeout(timer)
    tabs.removeEventListener("message", readNow)
    document.removeEventListener("visibilitychange", readNow)
  }
}

/** Begins a card payment of the amount due or of the typed part. A second call gets the same payment. */
export const openCard = async (): Promise<void> => {
  const due = invoice.value
  if (due === undefined || step.value === "opening") return
  const amount = amountOf(due)
  decline.value = undefined
  if (!(amount > 0) || amount > due.amount_due) {
    decline.value = new Failure(422, "invalid_request", "", [{ field: "amount", issue: "out_of_range" }])
    return
  }
  step.value = "opening"
  try {
    payment.value = await post<CardPayment>(`${path()}/pay`, amount === due.amount_due ? {} : { amount })
    step.value = "open"
  } catch (error) {
    step.value = "closed"
    decline.value = failureOf(error)
    await load()
  }
}

/** Runs a form's confirmation: a text is the reason why the card was refused. */
export const confirm = async (send: () => Promise<string | undefined>): Promise<void> => {
  if (step.value !== "open") return
  step.value = "sending"
  decline.value = undefined
  const refused = await send().catch((error: unknown) => failureOf(error))
  decline.value = refused
  step.value = refused === undefined ? "processing" : "open"
  await load()
  tellTabs()
}
