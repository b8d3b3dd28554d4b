/** Sends what is waiting, for each owner one after the other in its order, as soon as there is a connection. */
import { signal } from "@preact/signals"
import { Failure } from "../api/Failure.ts"
import { isSignedIn } from "../api/Person.ts"
import { newKey } from "../api/Key.ts"
import { isOfAccount, isPresent, sendPositions, sendReport } from "./Access.ts"
import type { Job, Report } from "./Job.ts"
import { addWaiting, allWaiting, changeWaiting, removeWaiting, type Waiting } from "./Store.ts"

/** A report to be sent. */
export type WaitingReport = Extract<Waiting, { readonly kind: "report" }>

/** What happens with what is sent. */
export interface QueueEvents {
  readonly onContact: () => void
  readonly onLost: () => void
  readonly onJob: (of: string, job: Job) => void
  /** A report that was refused waits for {@link answer}. */
  readonly onQuestion: (report: WaitingReport, failure: Failure) => void
  readonly onRefused: (waiting: Waiting, failure: Failure) => void
}

/** The waiting reports and some of the positions, in their order. */
export const waiting = signal<ReadonlyArray<Waiting>>([])

/** At most so many positions in a request. */
const batchSize = 500

/** How long after a failure the next attempt is made, in milliseconds. */
const pause = 5000

let events: QueueEvents | undefined
let timer: ReturnType<typeof setTimeout> | undefined
let isSending = false
/** Whether something was added since the sending began. */
let isMore = false

/** Sends in so many milliseconds, if not before. */
const sendLater = (delay: number) => {
  timer ??= setTimeout(() => {
    timer = undefined
    void flush()
  }, delay)
}

/** The first report alone, or the positions before the next report. */
const nextBatch = (entries: ReadonlyArray<Waiting>) => {
  const [first] = entries
  if (first === undefined || first.kind === "report") return entries.slice(0, 1)
  const end = entries.findIndex(({ kind, of }) => kind === "report" || of !== first.of)
  return entries.slice(0, Math.min(end === -1 ? entries.length : end, batchSize))
}

/** The keys of the reports that wait for an answer of the driver. */
const held = new Set<string>()

/** Whether the driver's answer can change the refusal of a report: it starts early, or the passenger's code is not right. */
const isQuestion = ({ details, type }: Failure, { body }: WaitingReport): boolean =>
  type === "confirmation_required" ||
  details.some(({ field }) => field === "pickup_pin") ||
  (type === "conflict" && body.pickup_pin !== undefined)

const isSameJob = (one: Waiting, other: Waiting): boolean =>
  one.kind === "report" && other.kind === "report" && other.of === one.of && other.trip === one.trip

/** What may be sent now. The reports of a job wait with the one that waits for an answer. */
const sendable = (entries: ReadonlyArray<Waiting>, blocked: ReadonlySet<string>) => {
  const asked = entries.filter(({ key }) => held.has(key))
  return entries.filter(
    (entry) => isPresent(entry.of) && !blocked.has(entry.of) && !asked.some((one) => isSameJob(one, entry))
  )
}

const deliver = async (batch: ReadonlyArray<Waiting>) => {
  const [first] = batch
  if (first?.kind === "report") events?.onJob(first.of, await sendReport(first))
  else if (first !== undefined)
    await sendPositions(
      first.of,
      batch.flatMap((entry) => (entry.kind === "position" ? [entry.body] : []))
    )
}

const forget = async (entries: ReadonlyArray<Waiting>) => {
  await removeWaiting(entries.map(({ id }) => id))
  waiting.value = await allWaiting()
}

/** Sends all that waits. Returns whether to try again later. */
const sendAll = async (): Promise<boolean> => {
  /** The accounts that have to sign in again. What they have waits, and does not stop the others. */
  const blocked = new Set<string>()
  for (;;) {
    const batch = nextBatch(sendable(await allWaiting(), blocked))
    const [first] = batch
    if (first === undefined) return false
    try {
      await deliver(batch)
      events?.onContact()
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      if (error.isPassing) {
        events?.onLost()
        return true
      }
      events?.onContact()
      if (error.status === 401 && isOfAccount(first.of)) {
        isSignedIn.value = false
        blocked.add(first.of)
        continue
      }
      if (first.kind === "report" && isQuestion(error, first)) {
        held.add(first.key)
        events?.onQuestion(first, error)
        continue
      }
      events?.onRefused(first, error)
      if (error.status === 401) {
        await forget((await allWaiting()).filter(({ of }) => of === first.of))
        continue
      }
    }
    await forget(batch)
  }
}

/** Runs `work` unless another tab sends at this moment. */
const alone = (work: () => Promise<boolean>): Promise<boolean> =>
  "locks" in navigator
    ? navigator.locks.request("livery.drive", { ifAvailable: true }, (lock) =>
        lock === null ? true : work()
      )
    : work()

/** Sends what is waiting now. */
export const flush = async (): Promise<void> => {
  isMore = true
  if (isSending) return
  isSending = true
  let again = false
  while (isMore && !again) {
    isMore = false
    again = await alone(sendAll).catch(() => true)
  }
  isSending = false
  if (again) sendLater(pause)
}

/** Keeps a report, and sends it. It counts at once for what is shown. */
export const report = async (of: string, trip: number, body: Report, key: string): Promise<void> => {
  const entry: Waiting = { of, key, kind: "report", trip, body }
  waiting.value = [...waiting.value, entry]
  await addWaiting(entry)
  waiting.value = await allWaiting()
  await flush()
}

/**
 * Sends a report again with the driver's answer, at its place in the order. Without one, it forgets the report; with a start, it
 * forgets all that waits for the job.
 */
export const answer = async (asked: WaitingReport, change: Report | undefined): Promise<void> => {
  const isStart = asked.body.status === "en_route"
  if (change !== undefined)
    await changeWaiting({ ...asked, key: newKey(), body: { ...asked.body, ...change } })
  else
    await forget(
      (await allWaiting()).filter((entry) => entry.key === asked.key || (isStart && isSameJob(asked, entry)))
    )
  waiting.value = await allWaiting()
  void flush()
}

/** Keeps a position, and sends it with others in a moment. */
export const position = async (entry: Waiting): Promise<void> => {
  await addWaiting(entry)
  sendLater(pause)
}

/** Begins to send what is waiting, also from an earlier visit. */
export const startQueue = async (listeners: QueueEvents): Promise<void> => {
  events = listeners
  addEventListener("online", () => void flush())
  waiting.value = await allWaiting()
  void flush()
}
