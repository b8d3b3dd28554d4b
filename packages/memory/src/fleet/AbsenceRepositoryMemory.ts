import {
  type Absence,
  AbsenceId,
  AbsenceRepository,
  type BusinessId,
  type DriverId,
  overlaps,
  windowOfAbsence
} from "@livery/domain"
import { DateTime } from "effect"
import { ascending, pageOf } from "../store/Pages.ts"
import { inMemory } from "../store/Store.ts"

export const layer = inMemory(AbsenceRepository, ({ absences, step }) => {
  const ofBusiness = (businessId: BusinessId, isWanted: (absence: Absence) => boolean) =>
    absences
      .where((absence) => absence.business_id === businessId && isWanted(absence))
      .toSorted(ascending(({ absence_id, starts_at }) => [DateTime.toEpochMillis(starts_at), absence_id]))

  const ofDriver = (businessId: BusinessId, driverId: DriverId, isWanted: (absence: Absence) => boolean) =>
    ofBusiness(businessId, (absence) => absence.driver_id === driverId && isWanted(absence))

  return {
    insert: (business_id, driver_id, { kind, note }, windows, created_at) =>
      step(() =>
        windows.map(({ ends, starts }) => {
          const absence_id = AbsenceId.make(absences.next())
          return absences.set(absence_id, {
            absence_id,
            business_id,
            driver_id,
            kind,
            starts_at: starts,
            ends_at: ends,
            note,
            created_at
          })
        })
      ),
    list: (businessId, driverId, { from, to }, page) =>
      step(() => {
        const listed = ofDriver(
          businessId,
          driverId,
          ({ ends_at, starts_at }) =>
            (from === undefined || DateTime.isGreaterThan(ends_at, from)) &&
            (to === undefined || DateTime.isLessThan(starts_at, to))
        )
        return pageOf(listed, page)
      }),
    during: (businessId, window, page) =>
      step(() =>
        pageOf(
          ofBusiness(businessId, (absence) => overlaps(windowOfAbsence(absence), window)),
          page
        )
      ),
    find: (businessId, driverId, absenceIds) =>
      step(() => ofDriver(businessId, driverId, ({ absence_id }) => absenceIds.includes(absence_id))),
    within: (businessId, driverId, window) =>
      step(() => ofDriver(businessId, driverId, (absence) => overlaps(windowOfAbsence(absence), window))),
    remove: (businessId, absenceIds) =>
      step(() => {
        for (const absenceId of absenceIds)
          if (absences.get(absenceId)?.business_id === businessId) absences.remove(absenceId)
      })
  }
})
