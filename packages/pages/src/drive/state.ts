/** The state of the driver's page. */
import { computed, signal } from "@preact/signals"
import { tokenInAddress, valueInAddress } from "../api/Api.ts"
import { Failure } from "../api/Failure.ts"
import { newKey } from "../api/Key.ts"
import { isSignedIn } from "../api/Person.ts"
import { applyAccent, type Brand } from "../shell/Brand.ts"
import { account, isPresent, readJob, readJobs, readOffice } from "./Access.ts"
import { hasEnded, type Job, type Report, withReports } from "./Job.ts"
import { answer, flush, position, report, startQueue, waiting, type WaitingReport } from "./Queue.ts"
import { type Fix, keep, kept } from "./Store.ts"
import type * as LaterModule from "./later/Later.tsx"

type LaterParts = typeof LaterModule

/** The token of a link; empty for a signed-in driver. */
const token = tokenInAddress()
/** The job that a signed-in driver has opened. */
const chosen = Number(valueInAddress("job"))
const owner = token === "" ? account() : token

/** Whether the driver uses an account, not a link. */
export const isAccount: boolean = token === ""

/** Whether the page shows the list of jobs. */
export const isList: boolean = token === "" && !(chosen > 0)

const confirmed = signal<Job | undefined>(undefined)

/** What is loaded after the first view. */
export const later = signal<LaterParts | undefined>(undefined)

/**
 * A report of this job that the server refuses until the driver answers: a start long before the pickup, or the passenger's code,
 * which may be locked after too many attempts.
 */
export const question = signal<
  { readonly report: WaitingReport; readonly kind: "early" | "pin"; readonly isLocked: boolean } | undefined
>(undefined)

const isHere = (of: string, trip: number) => of === owner && (token !== "" || trip === chosen)

/** The reports of this job that wait. Those that wait for an answer of the driver do not count. */
const waitingReports = computed(() =>
  waiting.value.flatMap((entry) =>
    entry.kind === "report" && isHere(entry.of, entry.trip) && question.value === undefined
      ? [entry.body]
      : []
  )
)

/** How many reports of this owner wait. Other persons may use the same phone. */
export const waitingCount = computed(
  () => waiting.value.filter(({ kind, of }) => kind === "report" && of === owner).length
)

/** The job, as it will be once all reports have arrived. */
export const job = computed(() => confirmed.value && withReports(confirmed.value, waitingReports.value))
export const jobs = signal<ReadonlyArray<Job> | undefined>(undefined)
export const office = signal<Brand | undefined>(undefined)
/** Why nothing could be read. It says something only while nothing is known. */
export const failure = signal<Failure | undefined>(undefined)
/** The reason for which the server refused a report. */
export const refusal = signal<Failure | undefined>(undefined)
/** When the server answered last. */
export const lastContact = signal<number | undefined>(undefined)
export const isConnected = signal(true)
export const now = signal(Date.now())
/** Whether the phone refuses to tell its position. */
export const isPositionOff = signal(false)

/** The changes of the job that the server has told; a reading that began before one of them is old. */
let version = 0

/** The name under which the job is kept. */
const jobName = `job ${chosen}`

/** Keeps a record of the owner, unless the owner has signed out meanwhile. */
const keepHere = (name: string, record: unknown) => {
  if (isPresent(owner)) void keep(`${owner} ${name}`, record)
}

const accept = (record: Job) => {
  version += 1
  confirmed.value = record
  keepHere(jobName, record)
}

const inContact = () => {
  lastContact.value = Date.now()
  now.value = Date.now()
  isConnected.value = true
}

const lost = () => {
  isConnected.value = false
}

const isOver = () => job.value !== undefined && hasEnded(job.value)

const failed = (error: unknown) => {
  const reason = error instanceof Failure ? error : new Failure(0, "unknown", String(error))
  if (reason.isPassing) lost()
  else inContact()
  // The link of a job ends with it: what is known stays.
  if (isOver()) return
  if (reason.status === 401 && isAccount) isSignedIn.value = false
  else if (reason.status === 401) confirmed.value = undefined
  failure.value = reason
}

const readOne = async () => {
  const begun = version
  const record = await readJob(owner, chosen)
  if (begun === version) accept(record)
}

const readList = async () => {
  jobs.value = await readJobs(owner)
  keepHere("jobs", jobs.value)
}

/** Reads what the page shows. */
const read = async (): Promise<void> => {
  if (isOver() && waitingReports.value.length === 0) return
  try {
    if (isList) await readList()
    else await readOne()
    failure.value = undefined
    inContact()
    office.value ??= await readOffice<Brand>(owner)
    keepHere("office", office.value)
    applyAccent(office.value.accent_color)
  } catch (error) {
    failed(error)
  }
}

/** Shows what was known at the last visit. */
const remember = async () => {
  office.value = await kept<Brand>(`${owner} office`)
  if (office.value !== undefined) applyAccent(office.value.accent_color)
  if (isList) jobs.value = await kept<ReadonlyArray<Job>>(`${owner} jobs`)
  else confirmed.value = await kept<Job>(`${owner} ${jobName}`)
}

const readEvery = 15_000

/** Loads the page anew if another person or business has been chosen, in this tab or in another one. */
const beginAgain = () => {
  if (account() !== owner) location.reload()
}

/** Begins: what is known first, then what the server says, again and again. */
export const begin = async (): Promise<void> => {
  await remember()
  await startQueue({
    onContact: inContact,
    onLost: lost,
    onJob: (of, record) => {
      if (isHere(of, record.trip_id)) accept(record)
    },
    onQuestion: (asked, { type }) => {
      if (!isHere(asked.of, asked.trip)) return
      question.value = {
        report: asked,
        kind: asked.body.status === "en_route" ? "early" : "pin",
        isLocked: type === "conflict"
      }
      void read()
    },
    onRefused: (entry, reason) => {
      if (entry.of !== owner) return
      if (reason.status !== 401) refusal.value = reason
      void read()
    }
  })
  if (isAccount) {
    addEventListener("storage", beginAgain)
    await (await import("../api/Session.ts")).restore()
    if (isSignedIn.value === false) return
    beginAgain()
  }
  await read()
  setInterval(() => {
    if (document.visibilityState === "visible") void read()
  }, readEvery)
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "visible") void read()
  })
  addEventListener("online", () => void read())
}

let lastFix: GeolocationPosition | undefined
/** A position that is older does not say where a milestone was reached, in milliseconds. */
const freshness = 60_000

const place = () =>
  lastFix !== undefined && Date.now() - lastFix.timestamp < freshness
    ? { lat: lastFix.coords.latitude, lng: lastFix.coords.longitude }
    : {}

let lastTap = 0
/** A second touch this soon after the first was meant for it, in milliseconds. */
const oneTouch = 600

/** Reports what the driver tapped: it is shown at once, and sent as soon as there is a connection. */
export const tap = (body: Report): void => {
  if (job.value === undefined || Date.now() - lastTap < oneTouch) return
  lastTap = Date.now()
  refusal.value = undefined
  const at = new Date().toISOString()
  const full =
    body.milestone === undefined
      ? { ...body, ...(body.status === "en_route" && { at }) }
      : { ...body, at, ...place() }
  void report(owner, job.value.trip_id, full, newKey())
}

/** The driver's answer to the question; undefined takes the report back. */
export const answerQuestion = async (change: Report | undefined): Promise<void> => {
  const asked = question.value
  if (asked === undefined) return
  await answer(asked.report, change)
  question.value = undefined
}

/** A phone measures more often than anybody needs, in milliseconds. */
const fixEvery = 1000

const fixOf = ({ coords, timestamp }: GeolocationPosition): Fix => ({
  lat: coords.latitude,
  lng: coords.longitude,
  accuracy: coords.accuracy,
  heading: coords.heading !== null && Number.isFinite(coords.heading) ? coords.heading : null,
  speed: coords.speed,
  recorded_at: new Date(timestamp).toISOString()
})

const onFix = (found: GeolocationPosition) => {
  isPositionOff.value = false
  if (lastFix !== undefined && found.timestamp - lastFix.timestamp < fixEvery) return
  lastFix = found
  void position({ of: owner, key: "", kind: "position", body: fixOf(found) })
}

/** Reports positions and keeps the screen awake, until the returned function is called. */
export const watch = (): (() => void) => {
  const id = navigator.geolocation.watchPosition(
    onFix,
    ({ code, PERMISSION_DENIED }) => {
      if (code === PERMISSION_DENIED) isPositionOff.value = true
    },
    { enableHighAccuracy: true, maximumAge: 5000 }
  )
  let lock: WakeLockSentinel | undefined
  const takeLock = async () => {
    if (document.visibilityState !== "visible" || !("wakeLock" in navigator)) return
    lock = await navigator.wakeLock.request("screen").catch(() => undefined)
  }
  const stayAwake = () => void takeLock()
  stayAwake()
  document.addEventListener("visibilitychange", stayAwake)
  return () => {
    navigator.geolocation.clearWatch(id)
    document.removeEventListener("visibilitychange", stayAwake)
    void lock?.release()
  }
}

/** Sends what waits and reads again, because the driver asked for it. */
export const retry = (): void => {
  failure.value = undefined
  void flush()
  void read()
}

/** Moves the present time. */
export const tick = (): (() => void) => {
  const timer = setInterval(() => {
    now.value = Date.now()
  }, 1000)
  return () => clearInterval(timer)
}
