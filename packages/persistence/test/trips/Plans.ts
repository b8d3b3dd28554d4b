/** The plans of the statements that a repository sends. */
import { Effect, Schema } from "effect"
import { SqlClient, Statement } from "effect/sql"

/** An executed step of a plan. */
export interface Step {
  readonly "Node Type": string
  readonly "Relation Name"?: string
  readonly "Index Name"?: string
  readonly "CTE Name"?: string
  readonly "Subplan Name"?: string
  readonly Filter?: string
  readonly "Actual Rows": number
  readonly "Actual Loops": number
  readonly "Rows Removed by Filter"?: number
  readonly "Rows Removed by Join Filter"?: number
  readonly "Shared Hit Blocks"?: number
  readonly "Shared Read Blocks"?: number
  readonly Plans?: ReadonlyArray<Step>
}

const Explained = Schema.Array(
  Schema.Struct({ "QUERY PLAN": Schema.Array(Schema.Struct({ Plan: Schema.Any })) })
)
const decode = Schema.decodeUnknownEffect(Explained)

const literal = (value: unknown): string => {
  if (typeof value === "number") return String(value)
  if (value === null || value === undefined) return "NULL"
  const text = Array.isArray(value)
    ? `{${value.map((each) => JSON.stringify(each)).join(",")}}`
    : value instanceof Date
      ? value.toISOString()
      : typeof value === "string"
        ? value
        : JSON.stringify(value)
  return `'${text.replaceAll("'", "''")}'`
}

/** A plan's step and all steps below it. */
export const flat = (step: Step): ReadonlyArray<Step> => [step, ...(step.Plans ?? []).flatMap(flat)]

let prepared = 0

/**
 * The plans of the statements that an effect sends, run again as prepared statements: with a custom plan for these
 * parameters, or with a generic plan, which PostgreSQL may use from the sixth time on.
 */
export const plansOf = Effect.fnUntraced(function* <A, E, R>(
  effect: Effect.Effect<A, E, R>,
  planned: "force_custom_plan" | "force_generic_plan"
) {
  const sql = yield* SqlClient.SqlClient
  const sent: Array<readonly [text: string, parameters: ReadonlyArray<unknown>]> = []
  yield* Effect.provideService(effect, Statement.CurrentTransformer, (statement) =>
    Effect.sync(() => {
      sent.push(statement.compile())
      return statement
    })
  )
  return yield* sql.withTransaction(
    Effect.gen(function* () {
      yield* sql`SELECT set_config('plan_cache_mode', ${planned}, true), set_config('jit', 'off', true)`
      const plans = yield* Effect.forEach(sent, ([text, parameters]) =>
        Effect.gen(function* () {
          const name = `explained_${(prepared += 1)}`
          const values = parameters.length === 0 ? "" : `(${parameters.map(literal).join(", ")})`
          yield* sql.unsafe(`PREPARE ${name} AS ${text}`).unprepared
          const rows = yield* sql.unsafe(`EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) EXECUTE ${name}${values}`)
            .unprepared
          const [explained] = yield* decode(rows)
          return explained?.["QUERY PLAN"].map(({ Plan }): Step => Plan) ?? []
        })
      )
      return plans.flat()
    })
  )
})

/** The steps of {@link plansOf}. */
export const stepsOf = <A, E, R>(
  effect: Effect.Effect<A, E, R>,
  planned: "force_custom_plan" | "force_generic_plan"
) => Effect.map(plansOf(effect, planned), (plans) => plans.flatMap(flat))

/** The number of pages that the plans read, each as often as it was read. */
export const pagesRead = (plans: ReadonlyArray<Step>) =>
  plans
    .map((plan) => (plan["Shared Hit Blocks"] ?? 0) + (plan["Shared Read Blocks"] ?? 0))
    .reduce((sum, pages) => sum + pages, 0)

/** The number of rows that all steps of a plan processed. */
export const handled = (steps: ReadonlyArray<Step>) =>
  steps
    .filter(
      (step) => step["Relation Name"] !== undefined || step["Rows Removed by Join Filter"] !== undefined
    )
    .map(
      (step) =>
        (step["Actual Rows"] +
          (step["Rows Removed by Filter"] ?? 0) +
          (step["Rows Removed by Join Filter"] ?? 0)) *
        step["Actual Loops"]
    )
    .reduce((sum, rows) => sum + rows, 0)
