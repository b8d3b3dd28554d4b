import { Context, Effect, Layer } from "effect"
import type { SqlClient } from "effect/sql"

/**
 * A port whose `methods` run where the worker is, over the businesses of its place. All others are those of the whole
 * database. So a sweep finds what is due on its node, and works on each record as a request does.
 */
export const readInPlace = <Port, Shape extends object>(
  port: Context.Key<Port, Shape>,
  onPostgres: Layer.Layer<Port, never, SqlClient.SqlClient>,
  methods: ReadonlyArray<keyof Shape>
): Layer.Layer<Port, never, Port | SqlClient.SqlClient> =>
  Layer.effect(
    port,
    Effect.gen(function* () {
      const ofAll = yield* port
      const inPlace = Context.get(yield* Layer.build(Layer.fresh(onPostgres)), port)
      return { ...ofAll, ...Object.fromEntries(methods.map((method) => [method, inPlace[method]])) }
    })
  )
