/** The plan that the server proposes for the board: which driver it would give each job. Nothing is stored until it is accepted. */
import type { DispatchPlan } from "@livery/client"
import { computed, signal } from "@preact/signals"
import { failureOf, type Failure } from "../../api/Failure.ts"
import { fill } from "../../i18n/Format.ts"
import { format } from "../../i18n/Language.ts"
import { api } from "../Api.ts"
import { changed, changing } from "../Undo.ts"
import { sendCrews } from "./Actions.ts"
import { reload } from "./Follow.ts"
import { driversOf } from "./Jobs.ts"
import { all, jobs, shown } from "./state.ts"
import type { BoardWords } from "./words/en.ts"

/** The plan; undefined without one. */
export const plan = signal<DispatchPlan | undefined>(undefined)
/** Whether the server makes a plan. */
export const isPlanning = signal(false)
/** Why the server did not make the plan, or did not take it. */
export const planFailure = signal<Failure | undefined>(undefined)

export type Proposal = DispatchPlan["jobs"][number]

/** The proposals that are still open, by job: the job has no driver yet. */
export const proposals = computed<ReadonlyMap<number, Proposal>>(
  () =>
    new Map(
      (plan.value?.jobs ?? []).flatMap((proposal) => {
        const job = jobs.value.get(proposal.trip_id)
        return job === undefined || driversOf(job).length > 0 ? [] : [[proposal.trip_id, proposal] as const]
      })
    )
)

/** Asks the server for a plan of the time that the board shows. */
export const suggest = async (): Promise<void> => {
  if (isPlanning.value) return
  isPlanning.value = true
  planFailure.value = undefined
  try {
    const { from, to } = shown.value
    plan.value = await api.dispatch.plan({
      from: new Date(from).toISOString(),
      to: new Date(to).toISOString()
    })
  } catch (error) {
    planFailure.value = failureOf(error)
  } finally {
    isPlanning.value = false
  }
}

export const discard = (): void => {
  plan.value = undefined
  planFailure.value = undefined
}

/**
 * Gives the jobs the proposed drivers, all or none. If the server refuses, because a job changed or a driver was taken, nothing is
 * stored and the plan stays, with the reason.
 */
export const accept = async (tripIds: ReadonlyArray<number>, words: BoardWords): Promise<void> => {
  const wanted = new Set(tripIds.filter((id) => proposals.value.has(id)))
  const entries = (plan.value?.assignments ?? []).filter(({ trip_id }) => wanted.has(trip_id))
  if (entries.length === 0) return
  planFailure.value = undefined
  await changing(async () => {
    try {
      await api.dispatch.assign(Object.assign([...entries], { refuse_clashes: true }))
      const undone = entries.map(({ trip_id }) => ({ trip_id, driver_ids: [] }))
      changed(fill(words.planAccepted, { count: format.number(entries.length) }), words, () =>
        sendCrews(undone, true)
      )
    } catch (error) {
      planFailure.value = failureOf(error)
    }
    await reload()
  })
  if (planFailure.value === undefined && proposals.value.size === 0) discard()
}

/** Accepts every proposal. */
export const acceptAll = (words: BoardWords): Promise<void> => accept([...proposals.value.keys()], words)

/** The jobs that the plan gives to a driver. */
export const plannedFor = (driver: number) =>
  all.value.filter(({ trip_id }) => proposals.value.get(trip_id)?.driver_id === driver)
