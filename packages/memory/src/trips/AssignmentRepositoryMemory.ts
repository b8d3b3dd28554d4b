import {
  AssignmentId,
  AssignmentRepository,
  type BusinessId,
  erasedMilestone,
  isLive,
  isSameMilestone,
  unanswered
} from "@livery/domain"
import { Option } from "effect"
import { ascending } from "../store/Pages.ts"
import { inMemory } from "../store/Store.ts"
import { storedTrips } from "./StoredTrips.ts"

export const layer = inMemory(AssignmentRepository, (store) => {
  const { assignments, drivers, step, timeline } = store
  const { assignmentOf } = storedTrips(store)

  const ofBusiness = (businessId: BusinessId, ids: ReadonlyArray<AssignmentId>) =>
    ids.filter((id) => assignments.get(id)?.business_id === businessId)

  return {
    find: (businessId, assignmentId) =>
      step(() => {
        const row = assignments.get(assignmentId)
        return row?.business_id === businessId
          ? Option.some({ trip_id: row.trip_id, assignment: assignmentOf(row) })
          : Option.none()
      }),
    findLast: (businessId, tripId, driverId) =>
      step(() => {
        const last = assignments
          .where(
            ({ business_id, driver_id, trip_id }) =>
              business_id === businessId && trip_id === tripId && driver_id === driverId
          )
          .toSorted(ascending(({ assignment_id }) => [assignment_id]))
          .at(-1)
        return Option.map(Option.fromUndefinedOr(last), assignmentOf)
      }),
    lockDrivers: (businessId, driverIds) =>
      step(() =>
        drivers
          .where(
            ({ active, business_id, deleted_at, driver_id }) =>
              business_id === businessId &&
              driverIds.includes(driver_id) &&
              active &&
              deleted_at === undefined
          )
          .map(({ default_car_id, driver_id }) => ({ driver_id, default_car_id: default_car_id }))
          .toSorted(ascending(({ driver_id }) => [driver_id]))
      ),
    insert: (business_id, trip_id, window, newDrivers, createdAt) =>
      step(() =>
        newDrivers.map(({ car_id, driver_id, has_default_car, tokenHash }) => {
          const isTaken = assignments.find(
            (one) => one.trip_id === trip_id && one.driver_id === driver_id && isLive(one)
          )
          if (isTaken) throw new Error(`Driver ${driver_id} is on the trip already`)
          const assignment_id = AssignmentId.make(assignments.next())
          const row = assignments.set(assignment_id, {
            assignment_id,
            business_id,
            trip_id,
            driver_id,
            status: "assigned",
            car_id,
            has_default_car,
            ...unanswered,
            milestones: [],
            window,
            tokenHash,
            endedTokenHash: null,
            cancelledBy: null,
            enRouteAt: null,
            completedAt: null,
            createdAt,
            cancelledAt: null
          })
          return assignmentOf(row)
        })
      ),
    start: (businessId, assignmentId) =>
      step(() => {
        const row = assignments.get(assignmentId)
        if (row?.business_id !== businessId || row.enRouteAt === null) return Option.none()
        const told = timeline
          .where(
            ({ after, change, driver_id, trip_id }) =>
              trip_id === row.trip_id &&
              driver_id === row.driver_id &&
              change === "driver_status_changed" &&
              after?.["status"] === "en_route"
          )
          .toSorted(ascending(({ change_id }) => [change_id]))
          .at(-1)
        return Option.some({ at: row.enRouteAt, heard_at: told?.at ?? row.enRouteAt })
      }),
    setStatus: (businessId, assignmentIds, { by, now, status }) =>
      step(() => {
        for (const assignmentId of ofBusiness(businessId, assignmentIds)) {
          const { endedTokenHash = null, tokenHash = null } = assignments.get(assignmentId) ?? {}
          assignments.change(assignmentId, {
            status,
            ...(status === "assigned" ? { enRouteAt: null } : {}),
            ...(status === "en_route" ? { enRouteAt: now } : {}),
            ...(status === "completed" ? { completedAt: now } : {}),
            ...(status === "cancelled" ? { cancelledBy: by, cancelledAt: now } : {}),
            ...(isLive({ status }) ? {} : { tokenHash: null, endedTokenHash: tokenHash ?? endedTokenHash })
          })
        }
      }),
    setCars: (businessId, changed) =>
      step(() => {
        for (const { assignment_id, car_id, has_default_car } of changed)
          for (const id of ofBusiness(businessId, [assignment_id]))
            assignments.change(id, { car_id, has_default_car })
      }),
    setAnswers: (businessId, answered) =>
      step(() => {
        for (const { accepted_at, accepted_pickup, assignment_id, decline_reason, declined_at } of answered)
          for (const id of ofBusiness(businessId, [assignment_id]))
            assignments.change(id, { accepted_at, accepted_pickup, declined_at, decline_reason })
      }),
    setWindows: (businessId, moved) =>
      step(() => {
        for (const { tripId, window } of moved)
          for (const { assignment_id } of assignments.where((one) => one.trip_id === tripId))
            for (const id of ofBusiness(businessId, [assignment_id])) assignments.change(id, { window })
      }),
    insertMilestone: (businessId, assignmentId, reached) =>
      step(() => {
        const milestones = assignments.get(assignmentId)?.milestones ?? []
        if (ofBusiness(businessId, [assignmentId]).length === 0) return
        if (milestones.some((one) => isSameMilestone(one, reached))) return
        assignments.change(assignmentId, { milestones: [...milestones, reached] })
      }),
    removeMilestone: (businessId, assignmentId, removed) =>
      step(() => {
        for (const id of ofBusiness(businessId, [assignmentId]))
          assignments.change(id, {
            milestones: (assignments.get(id)?.milestones ?? []).filter(
              (reached) => !isSameMilestone(reached, removed)
            )
          })
      }),
    erasePlaces: (businessId, assignmentIds) =>
      step(() => {
        for (const id of ofBusiness(businessId, assignmentIds))
          assignments.change(id, {
            endedTokenHash: null,
            milestones: (assignments.get(id)?.milestones ?? []).map((reached) => ({
              ...reached,
              ...erasedMilestone
            }))
          })
      }),
    openTrips: (businessId, driverId) =>
      step(() =>
        assignments
          .where((one) => one.business_id === businessId && one.driver_id === driverId && isLive(one))
          .map(({ trip_id }) => trip_id)
          .toSorted(ascending((tripId) => [tripId]))
      )
  }
})
