import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { CarRepository } from "@livery/domain"

export const layer = Layer.effect(
  CarRepository,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    return CarRepository.of({
      hold: (businessId, carId) =>
        Effect.orDie(
          Effect.map(
            sql`
              SELECT FROM cars
              WHERE business_id = ${businessId} AND car_id = ${carId} AND active AND deleted_at IS NULL
              FOR KEY SHARE`,
            (cars) => cars.length > 0
          )
        )
    })
  })
)
