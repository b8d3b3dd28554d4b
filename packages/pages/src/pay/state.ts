/** The state of the payment page. */
import { signal } from "@preact/signals"
import { apiBase, get, post, valueInAddress } from "../api/Api.ts"
import { Failure } from "../api/Failure.ts"
import { locale } from "../i18n/Language.ts"
import { applyAccent } from "../shell/Brand.ts"
import { amountIn, digitsOf } from "./Amount.ts"
import type { CardPayment, Invoice } from "./Invoice.ts"

/**
 * Where a card payment is. `processing`: the card was taken, and the invoice does not say so yet. `late`: it has not said so for
 * a minute.
 */
export type CardStep = "closed" | "opening" | "open" | "sending" | "processing" | "late"

export const invoice = signal<Invoice | undefined>(undefined)
/** Why the invoice could not be read. */
export const failure = signal<Failure | undefined>(undefined)
export const step = signal<CardStep>("closed")
/** Why the card was not taken, in the words of the bank or of the server. */
export const decline = signal<string | Failure | undefined>(undefined)
export const payment = signal<CardPayment | undefined>(undefined)
/** The part of the amount due that the payer typed; undefined for all of it. */
export const typedAmount = signal<string | undefined>(undefined)

/** The amount that is going to be paid; `NaN` for a text that is no number, or no certain one. */
export const amountOf = ({ amount_due, currency }: Invoice): number =>
  typedAmount.value === undefined ? amount_due : amountIn(typedAmount.value, currency, locale)

/** The least amount of a currency. */
export const leastOf = ({ currency }: Invoice): number => 10 ** -digitsOf(currency)

const path = () => `/public/invoices/${encodeURIComponent(valueInAddress("invoice") || "-")}`

/** The address of the invoice's PDF. */
export const pdfAddress = (): string => `${apiBase}${path()}/pdf`

/** Other tabs with the same invoice read it again at once. */
const tabs = new BroadcastChannel("livery-invoice")

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has no target
const tellTabs = () => tabs.postMessage("changed")

const failureOf = (error: unknown) =>
  error instanceof Failure ? error : new Failure(0, "unknown", String(error))

/** How long a payment is processed before the page offers a way back, in milliseconds. */
const patience = 60_000

/** When the processing of a payment began. */
let processedSince = 0

const process = () => {
  processedSince = Date.now()
  step.value = "processing"
}

const dueKey = () => `livery-due:${path()}`

/** The amount due when the payer confirmed. It outlives the visit of a bank's own page, and is missing in another browser. */
const dueBefore = (): number | undefined => {
  const text = sessionStorage.getItem(dueKey())
  return text === null ? undefined : Number(text)
}

const close = () => {
  sessionStorage.removeItem(dueKey())
  payment.value = undefined
  step.value = "closed"
}

/** Returns to the choice of the amount. */
export const closeCard = (): void => {
  close()
  decline.value = undefined
}

/** Reads the invoice. What is on the screen stays if that fails. */
export const load = async (): Promise<void> => {
  try {
    const read = await get<Invoice>(path())
    // The form has to stay until it has its answer, also if the invoice knows of the payment before.
    if (step.value === "sending") return
    const isAwaited = step.value === "processing" || step.value === "late"
    const before = (isAwaited ? dueBefore() : undefined) ?? invoice.value?.amount_due
    if (invoice.value === undefined) applyAccent(read.business.accent_color)
    if (before !== undefined && before !== read.amount_due) {
      close()
      typedAmount.value = undefined
      tellTabs()
    } else if (step.value === "processing" && Date.now() - processedSince > patience) step.value = "late"
    invoice.value = read
    failure.value = undefined
  } catch (error) {
    failure.value = failureOf(error)
  }
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
  else process()
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
  if (!(amount >= leastOf(due)) || amount > due.amount_due) {
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
  if (step.value !== "open" || invoice.value === undefined) return
  step.value = "sending"
  decline.value = undefined
  sessionStorage.setItem(dueKey(), String(invoice.value.amount_due))
  const refused = await send().catch((error: unknown) => failureOf(error))
  decline.value = refused
  if (refused === undefined) process()
  else step.value = "open"
  await load()
  tellTabs()
}
