/** The domain's `CarRepository` on PostgreSQL. */
import { Array, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { BusinessId, CarId, type CarInput, CarRepository, VehicleClass } from "@livery/domain"
import { pagesOf } from "../sql/Pages.ts"
import { Instant, instant, rowsAs } from "../sql/Rows.ts"
import { lockActiveCar } from "../trips/ReferenceLocks.ts"

const text = Schema.NullOr(Schema.String)
const whole = Schema.NullOr(Schema.Int)

const CarRow = Schema.Struct({
  car_id: CarId,
  business_id: BusinessId,
  name: Schema.String,
  plate_number: text,
  make: text,
  model: text,
  year: whole,
  color: text,
  vehicle_class: Schema.NullOr(VehicleClass),
  seats: whole,
  luggage: whole,
  photo_url: text,
  active: Schema.Boolean,
  created_at: Instant,
  updated_at: Instant
})

const cars = rowsAs(CarRow)
const pageOfCars = pagesOf(CarRow)
const counts = rowsAs(Schema.Struct({ count: Schema.Int }))

const columnsOf = (car: CarInput) => ({
  name: car.name,
  plate_number: car.plate_number,
  make: car.make,
  model: car.model,
  year: car.year,
  color: car.color,
  vehicle_class: car.vehicle_class,
  seats: car.seats,
  luggage: car.luggage,
  photo_url: car.photo_url,
  active: car.active
})

export const layer = Layer.effect(
  CarRepository,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const one = (businessId: BusinessId, carId: CarId) =>
      sql`business_id = ${businessId} AND car_id = ${carId} AND deleted_at IS NULL`
    const stored = <E>(statement: Effect.Effect<ReadonlyArray<object>, E>) =>
      Effect.flatMap(cars(statement), ([car]) => Effect.orDie(Effect.fromNullishOr(car)))

    return CarRepository.of({
      insert: (businessId, car, now) => {
        const row = {
          ...columnsOf(car),
          business_id: businessId,
          created_at: instant(now),
          updated_at: instant(now)
        }
        return stored(sql`INSERT INTO cars ${sql.insert(row)} RETURNING *`)
      },
      list: (businessId, { active }, page) =>
        pageOfCars(sql, page, {
          columns: sql`*`,
          from: sql`cars`,
          where: sql.and([
            sql`business_id = ${businessId}`,
            sql`deleted_at IS NULL`,
            ...(active === undefined ? [] : [sql`active = ${active}`])
          ]),
          order: sql`name, car_id`
        }),
      find: (businessId, carId) =>
        Effect.map(cars(sql`SELECT * FROM cars WHERE ${one(businessId, carId)}`), Array.head),
      lock: (businessId, carId) =>
        Effect.map(
          cars(sql`SELECT * FROM cars WHERE ${one(businessId, carId)} FOR NO KEY UPDATE`),
          Array.head
        ),
      lockForDelete: (businessId, carId) =>
        Effect.map(cars(sql`SELECT * FROM cars WHERE ${one(businessId, carId)} FOR UPDATE`), Array.head),
      lockActive: lockActiveCar(sql),
      countActive: (businessId) =>
        Effect.map(
          counts(sql`
            SELECT count(*) AS count FROM cars WHERE business_id = ${businessId} AND deleted_at IS NULL AND active`),
          ([row]) => row?.count ?? 0
        ),
      update: (businessId, carId, car, now) => {
        const row = { ...columnsOf(car), updated_at: instant(now) }
        return stored(sql`UPDATE cars SET ${sql.update(row)} WHERE ${one(businessId, carId)} RETURNING *`)
      },
      clearDefaultCar: (businessId, carId) =>
        Effect.orDie(
          Effect.asVoid(sql`
            UPDATE drivers SET default_car_id = NULL WHERE business_id = ${businessId} AND default_car_id = ${carId}`)
        ),
      remove: Effect.fnUntraced(function* (businessId, carId, now) {
        yield* sql`
          DELETE FROM cars WHERE ${one(businessId, carId)}
            AND NOT EXISTS (SELECT FROM trips WHERE business_id = ${businessId} AND car_id = ${carId})`
        yield* sql`UPDATE cars SET deleted_at = ${instant(now)} WHERE ${one(businessId, carId)}`
      }, Effect.orDie)
    })
  })
)
