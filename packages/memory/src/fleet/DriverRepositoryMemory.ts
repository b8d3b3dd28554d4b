import {
  type BusinessId,
  Driver,
  DriverId,
  DriverInput,
  DriverRepository,
  isLive,
  overlaps
} from "@livery/domain"
import { DateTime, Effect, Option } from "effect"
import { only, rowOf } from "../store/Fields.ts"
import { ascending, pageOf } from "../store/Pages.ts"
import type { DriverRow } from "../store/Rows.ts"
import { inMemory } from "../store/Store.ts"

const driverOf = (row: DriverRow): Driver => only(Driver, row)

export const layer = inMemory(
  DriverRepository,
  ({ absences, assignments, drivers, invitations, seats, step, trips }) => {
    const ofBusiness = (businessId: BusinessId) =>
      drivers.where(({ business_id, deleted_at }) => business_id === businessId && deleted_at === undefined)
    const find = (businessId: BusinessId, driverId: DriverId) =>
      step(() => Option.map(Option.fromUndefinedOr(rowOf(drivers, businessId, driverId)), driverOf))

    return {
      insert: (business_id, profile, now) =>
        step(() => {
          const driver_id = DriverId.make(drivers.next())
          const driver = {
            ...only(DriverInput, profile),
            driver_id,
            business_id,
            user_id: null,
            created_at: now,
            updated_at: now
          }
          return driverOf(drivers.set(driver_id, driver))
        }),
      list: (businessId, { active }, page) =>
        step(() => {
          const listed = ofBusiness(businessId)
            .filter((driver) => active === undefined || driver.active === active)
            .toSorted(ascending(({ driver_id, name }) => [name, driver_id]))
          return pageOf(listed.map(driverOf), page)
        }),
      find,
      lock: find,
      lockForDelete: find,
      update: (businessId, driverId, profile, now) =>
        Effect.flatMap(
          step(
            () =>
              rowOf(drivers, businessId, driverId) &&
              drivers.change(driverId, { ...only(DriverInput, profile), updated_at: now })
          ),
          (driver) => Effect.orDie(Effect.fromNullishOr(driver && driverOf(driver)))
        ),
      linkAccount: (businessId, driverId, userId, now) =>
        step(() => {
          if (ofBusiness(businessId).some(({ user_id }) => user_id === userId)) return false
          if (!rowOf(drivers, businessId, driverId)) return false
          return drivers.change(driverId, { user_id: userId, updated_at: now }) !== undefined
        }),
      remove: (businessId, driverId, now) =>
        step(() => {
          if (!rowOf(drivers, businessId, driverId)) return
          for (const { codeHash } of invitations.where((invitation) => invitation.driverId === driverId))
            invitations.remove(codeHash)
          for (const { absence_id } of absences.where((absence) => absence.driver_id === driverId))
            absences.remove(absence_id)
          const isReferredTo =
            assignments.find(({ driver_id }) => driver_id === driverId) ??
            seats.find(({ driver_id }) => driver_id === driverId)
          if (isReferredTo)
            drivers.change(driverId, {
              deleted_at: now,
              user_id: null,
              former_user_id: drivers.get(driverId)?.user_id ?? null
            })
          else drivers.remove(driverId)
        }),
      busyWindows: (businessId, driverId, within) =>
        step(() =>
          assignments
            .where(
              (assignment) =>
                assignment.business_id === businessId &&
                assignment.driver_id === driverId &&
                isLive(assignment) &&
                overlaps(assignment.window, within)
            )
            .map(({ trip_id, window }) => ({
              trip_id,
              reference: trips.get(trip_id)?.reference ?? "",
              from: window.starts,
              to: window.ends
            }))
            .toSorted(ascending(({ from, trip_id }) => [DateTime.toEpochMillis(from), trip_id]))
        )
    }
  }
)
