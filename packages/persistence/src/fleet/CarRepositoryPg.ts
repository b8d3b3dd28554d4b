import { Effect, Schema } from "effect"
import { type BusinessId, Car, type CarId, CarInput, CarRepository } from "@livery/domain"
import { columnsOf, columnsSetBy, valuesOf } from "../sql/rows/Columns.ts"
import { pagesOf } from "../sql/lists/Pages.ts"
import { execute, instant, oneRow, rowsAs, firstOf } from "../sql/rows/Rows.ts"
import { lockActiveCar } from "../trips/ReferenceLocks.ts"
import { onPostgres } from "../sql/statements/OnPostgres.ts"

const cars = rowsAs(Car)
const pageOfCars = pagesOf(Car)
const counts = rowsAs(Schema.Struct({ count: Schema.Int }))

const setByCallers = columnsSetBy(CarInput, Car)

/**
 * Cars in the table `cars`. A deleted car to which drivers, trips or assignments refer stays as a row with
 * `deleted_at`.
 */
export const layer = onPostgres(CarRepository, (sql) => {
  const columns = sql.literal(columnsOf(Car))
  const liveCar = (businessId: BusinessId, carId: CarId) =>
    sql`business_id = ${businessId} AND car_id = ${carId} AND deleted_at IS NULL`
  const stored = <E>(statement: Effect.Effect<ReadonlyArray<object>, E>) => oneRow(cars(statement))

  return {
    insert: (businessId, car, now) => {
      const row = {
        ...valuesOf(setByCallers, car),
        business_id: businessId,
        created_at: instant(now),
        updated_at: instant(now)
      }
      return stored(sql`INSERT INTO cars ${sql.insert(row)} RETURNING ${columns}`)
    },
    list: (businessId, { active }, page) =>
      pageOfCars(sql, page, {
        columns,
        from: sql`cars`,
        where: sql.and([
          sql`business_id = ${businessId}`,
          sql`deleted_at IS NULL`,
          ...(active === undefined ? [] : [sql`active = ${active}`])
        ]),
        order: sql`name, car_id`
      }),
    find: (businessId, carId) =>
      firstOf(cars(sql`SELECT ${columns} FROM cars WHERE ${liveCar(businessId, carId)}`)),
    lock: (businessId, carId) =>
      firstOf(cars(sql`SELECT ${columns} FROM cars WHERE ${liveCar(businessId, carId)} FOR NO KEY UPDATE`)),
    lockForDelete: (businessId, carId) =>
      firstOf(cars(sql`SELECT ${columns} FROM cars WHERE ${liveCar(businessId, carId)} FOR UPDATE`)),
    lockActive: lockActiveCar(sql),
    countActive: (businessId) =>
      Effect.map(
        counts(sql`
          SELECT count(*) AS count FROM cars WHERE business_id = ${businessId} AND deleted_at IS NULL AND active`),
        ([row]) => row?.count ?? 0
      ),
    update: (businessId, carId, car, now) => {
      const row = { ...valuesOf(setByCallers, car), updated_at: instant(now) }
      return stored(
        sql`UPDATE cars SET ${sql.update(row)} WHERE ${liveCar(businessId, carId)} RETURNING ${columns}`
      )
    },
    clearDefaultCar: (businessId, carId) =>
      execute(sql`
          UPDATE drivers SET default_car_id = NULL WHERE business_id = ${businessId} AND default_car_id = ${carId}`),
    remove: Effect.fnUntraced(function* (businessId, carId, now) {
      yield* sql`
        DELETE FROM cars WHERE ${liveCar(businessId, carId)}
          AND NOT EXISTS (SELECT FROM trips WHERE business_id = ${businessId} AND car_id = ${carId})
          AND NOT EXISTS (SELECT FROM assignments WHERE business_id = ${businessId} AND car_id = ${carId})`
      yield* sql`UPDATE cars SET deleted_at = ${instant(now)} WHERE ${liveCar(businessId, carId)}`
    }, Effect.orDie)
  }
})
