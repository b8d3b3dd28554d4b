import * as Domain from "@livery/domain"
import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { instant } from "../../src/sql/rows/Rows.ts"
import * as Conditions from "../../src/trips/TripConditions.ts"
import { at, TestPersistence } from "../support/TestPersistence.ts"

const { assignmentMachine, defaultDurationMinutes, tripMachine } = Domain

const Minutes = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 240 }))
const Duration = Schema.NullOr(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 120 })))
const Trip = Schema.Struct({ starts: Minutes, duration_minutes: Duration })

const pickup = (minutes: number) => DateTime.add(at("09:00:00"), { minutes })

layer(TestPersistence)("SQL for the domain's predicates", (it) => {
  it.effect.prop(
    "says that two windows overlap exactly where the domain does",
    { left: Trip, right: Trip },
    ({ left, right }) =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const windows = [left, right].map(({ duration_minutes, starts }) =>
          Domain.windowOf({ trip_date: pickup(starts), duration_minutes })
        )
        const [first, second] = windows
        if (first === undefined || second === undefined) return assert.fail("two trips have two windows")
        const [row] = yield* sql<{ readonly of_trips: boolean; readonly of_assignments: boolean }>`
          SELECT
            ${sql.literal(Conditions.overlaps(Conditions.windowOf("t"), Conditions.windowOf("u")))} AS of_trips,
            ${sql.literal(Conditions.overlaps(Conditions.windowOfAssignment("a"), Conditions.windowOfAssignment("b")))}
              AS of_assignments
          FROM
            (SELECT ${instant(pickup(left.starts))}::timestamptz AS trip_date, ${left.duration_minutes}::int AS duration_minutes) t,
            (SELECT ${instant(pickup(right.starts))}::timestamptz AS trip_date, ${right.duration_minutes}::int AS duration_minutes) u,
            (SELECT ${instant(first.starts)}::timestamptz AS trip_date, ${instant(first.ends)}::timestamptz AS trip_ends_at) a,
            (SELECT ${instant(second.starts)}::timestamptz AS trip_date, ${instant(second.ends)}::timestamptz AS trip_ends_at) b`
        const expected = Domain.overlaps(first, second)
        assert.deepStrictEqual(row, { of_trips: expected, of_assignments: expected })
        assert.strictEqual(Domain.overlaps(second, first), expected)
      }),
    { arbitrary: { runs: 200 } }
  )

  it.effect("treats windows that touch and missing durations as the domain does", () =>
    Effect.gen(function* () {
      const at = (starts: number, duration_minutes: number | null) =>
        Domain.windowOf({ trip_date: pickup(starts), duration_minutes })
      assert.isFalse(Domain.overlaps(at(0, 30), at(30, 30)))
      assert.isTrue(Domain.overlaps(at(0, 31), at(30, 30)))
      assert.isTrue(Domain.overlaps(at(0, null), at(defaultDurationMinutes - 1, 1)))
      assert.isFalse(Domain.overlaps(at(0, null), at(defaultDurationMinutes, 1)))
      yield* Effect.void
    })
  )

  it.effect("lists the statuses for which the domain's predicate holds", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const matching = (condition: string, states: ReadonlyArray<string>) =>
        Effect.map(
          sql<{ readonly status: string }>`
            SELECT status FROM unnest(${states}::text[]) WITH ORDINALITY AS s (status, position)
            WHERE status ${sql.literal(condition)} ORDER BY position`,
          (rows) => rows.map(({ status }) => status)
        )
      for (const [condition, predicate] of [
        [Conditions.isOpenTrip, Domain.isOpenTrip],
        [Conditions.isStarted, Domain.isStarted],
        [Conditions.isNotCancelled, Domain.isNotCancelled],
        [Conditions.isListedOnBoard, Domain.isListedOnBoard]
      ] as const)
        assert.deepStrictEqual<unknown>(
          yield* matching(condition, tripMachine.states),
          tripMachine.states.filter(predicate)
        )
      for (const [condition, predicate] of [
        [Conditions.isLive, Domain.isLive],
        [Conditions.isOnTrip, Domain.isOnTrip],
        [Conditions.isUnderWay, Domain.isUnderWay]
      ] as const)
        assert.deepStrictEqual<unknown>(
          yield* matching(condition, assignmentMachine.states),
          assignmentMachine.states.filter((status) => predicate({ status }))
        )
    })
  )

  it.effect.prop(
    "says that a job is upcoming exactly where the domain does",
    { status: Domain.AssignmentStatus, ends: Minutes, now: Minutes },
    ({ ends, now, status }) =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const [row] = yield* sql<{ readonly upcoming: boolean }>`
          SELECT ${Conditions.isUpcoming(sql, status, pickup(now))} AS upcoming
          FROM (SELECT ${instant(pickup(ends))}::timestamptz AS trip_ends_at) a`
        assert.strictEqual(
          row?.upcoming,
          Domain.isUpcoming({ status, ends: pickup(ends) }, pickup(now)),
          `${status} ${ends} ${now}`
        )
      }),
    { arbitrary: { runs: 100 } }
  )
})
