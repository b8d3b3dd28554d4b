import { type BusinessId, Car, CarId, CarInput, CarRepository } from "@livery/domain"
import { Effect, Option } from "effect"
import { only, rowOf } from "../store/Fields.ts"
import { ascending, pageOf } from "../store/Pages.ts"
import type { CarRow } from "../store/Rows.ts"
import { inMemory } from "../store/Store.ts"

const carOf = (row: CarRow): Car => only(Car, row)

export const layer = inMemory(CarRepository, ({ assignments, cars, drivers, step, trips }) => {
  const ofBusiness = (businessId: BusinessId) =>
    cars.where(({ business_id, deleted_at }) => business_id === businessId && deleted_at === undefined)
  const find = (businessId: BusinessId, carId: CarId) =>
    step(() => Option.map(Option.fromUndefinedOr(rowOf(cars, businessId, carId)), carOf))

  return {
    insert: (business_id, input, now) =>
      step(() => {
        const car_id = CarId.make(cars.next())
        const car = { ...only(CarInput, input), car_id, business_id, created_at: now, updated_at: now }
        return carOf(cars.set(car_id, car))
      }),
    list: (businessId, { active }, page) =>
      step(() => {
        const listed = ofBusiness(businessId)
          .filter((car) => active === undefined || car.active === active)
          .toSorted(ascending(({ car_id, name }) => [name, car_id]))
        return pageOf(listed.map(carOf), page)
      }),
    find,
    lock: find,
    lockForDelete: find,
    lockActive: (businessId, carId) => step(() => rowOf(cars, businessId, carId)?.active === true),
    countActive: (businessId) => step(() => ofBusiness(businessId).filter(({ active }) => active).length),
    update: (businessId, carId, input, now) =>
      Effect.flatMap(
        step(
          () =>
            rowOf(cars, businessId, carId) &&
            cars.change(carId, { ...only(CarInput, input), updated_at: now })
        ),
        (car) => Effect.orDie(Effect.fromNullishOr(car && carOf(car)))
      ),
    clearDefaultCar: (businessId, carId) =>
      step(() => {
        for (const { business_id, driver_id } of drivers.where((driver) => driver.default_car_id === carId))
          if (business_id === businessId) drivers.change(driver_id, { default_car_id: null })
      }),
    remove: (businessId, carId, now) =>
      step(() => {
        if (!rowOf(cars, businessId, carId)) return
        const isReferredTo =
          trips.find(({ car_id }) => car_id === carId) ?? assignments.find(({ car_id }) => car_id === carId)
        if (isReferredTo) cars.change(carId, { deleted_at: now })
        else cars.remove(carId)
      })
  }
})
