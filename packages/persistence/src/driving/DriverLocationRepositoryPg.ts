import { Effect, Layer, Schema } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import {
  type BusinessId,
  businessMachine,
  clockToleranceSeconds,
  maxCount,
  DriverLocationRepository,
  DriverPosition,
  isSuspended,
  type LocationReport,
  type PageRequest,
  Position,
  type Reporter,
  TripId,
  traced
} from "@livery/domain"
import { columnsOf } from "../sql/rows/Columns.ts"
import { compiled } from "../sql/statements/Compiled.ts"
import { statementPagesOf } from "../sql/lists/Pages.ts"
import { rowsOfPage } from "../sql/lists/PageLimits.ts"
import { instant, rowsAs } from "../sql/rows/Rows.ts"
import { inStates } from "../sql/rows/States.ts"
import * as Conditions from "../trips/TripConditions.ts"
import { makeWriteForm } from "../sql/schema/WriteForm.ts"
import { makePlainPositions } from "./PlainPositions.ts"

const recorded = rowsAs(
  Schema.Struct({ report: Schema.Int, positions: Schema.Int, trips: Schema.Array(TripId) })
)

const tripsOf = rowsAs(Schema.Struct({ trip_id: TripId }))

const pagesOfPositions = statementPagesOf(DriverPosition)

interface Line extends Position {
  readonly report: number
  readonly by: Reporter
}

/** Every position of every report, as the rows to insert. */
const linesOf = (reports: ReadonlyArray<LocationReport>): ReadonlyArray<Line> =>
  reports.flatMap(({ positions, reporter }, report) =>
    positions.map((position) => ({ ...position, report, by: reporter }))
  )

/** The columns of the rows, as the parameters of the statement. */
const columnsOfLines = (reports: ReadonlyArray<LocationReport>) => {
  const lines = linesOf(reports)
  const column = <A>(valueOf: (line: Line) => A) => lines.map(valueOf)
  return {
    reports: column(({ report }) => report),
    businesses: column(({ by }) => by.business_id),
    drivers: column(({ by }) => by.driver_id),
    assignments: column(({ by }) => by.assignment_id),
    tokens: column(({ by }) => by.token_hash),
    lats: column(({ lat }) => lat),
    lngs: column(({ lng }) => lng),
    accuracies: column(({ accuracy }) => accuracy),
    headings: column(({ heading }) => heading),
    speeds: column(({ speed }) => speed),
    times: column(({ recorded_at }) => instant(recorded_at).toISOString())
  }
}

/** The values of one row, as the parameters of the statement. */
const columnsOfLine = ({ by, recorded_at, ...position }: Line) => ({
  business: by.business_id,
  driver: by.driver_id,
  assignment: by.assignment_id,
  token: by.token_hash,
  time: instant(recorded_at).toISOString(),
  lat: position.lat,
  lng: position.lng,
  accuracy: position.accuracy,
  heading: position.heading,
  speed: position.speed
})

/**
 * `record` is one statement for any number of reports, if the database is not distributed. It uses the assignments as they were when the statement began:
 * positions of an assignment that ends while the statement runs are stored. Rows are written in a fixed order, so that two nodes
 * cannot deadlock. The assignments of each driver are looked up separately: a plan that reads all assignments under way
 * costs more the larger the installation is.
 */
export const layer = Layer.effect(
  DriverLocationRepository,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const inForm = yield* makeWriteForm(sql)
    const isUnderWay = sql.literal(`a.status ${Conditions.isUnderWay}`)
    const isActive = sql.literal(inStates(businessMachine, (status) => !isSuspended({ status })))
    const columns = sql.literal(columnsOf(Position, "p"))

    /**
     * Whether the reporter may report for the assignment `a`: always with an account, which was checked before, and with a token
     * only while it is valid, as `DriverTokenRepository.find` defines that.
     */
    const mayReport = (businessId: unknown, tokenHash: unknown) => sql`
          (${tokenHash}::text IS NULL OR (a.token_hash = ${tokenHash} AND EXISTS (
            SELECT FROM businesses b
            JOIN drivers d ON d.business_id = ${businessId} AND d.driver_id = a.driver_id
            JOIN trips t ON t.business_id = ${businessId} AND t.trip_id = a.trip_id
            WHERE b.business_id = ${businessId} AND b.status ${isActive}
              AND d.deleted_at IS NULL AND t.deleted_at IS NULL
          )))`

    const tolerance = sql`make_interval(secs => ${clockToleranceSeconds})`

    const stored = sql.literal("business_id, assignment_id, recorded_at, lat, lng, accuracy, heading, speed")
    const intoTrail = sql`
        INSERT INTO driver_trail (${stored}, received_at)
        SELECT ${stored}, statement_timestamp()`
    const intoPositions = (distinct: Statement.Fragment) => sql`
        INSERT INTO driver_positions AS p (${stored}, received_at)
        SELECT ${distinct} ${stored}, statement_timestamp()`
    /** Keeps the newest position of an assignment, whichever is written last. */
    const unlessOlder = sql`
        ON CONFLICT (business_id, assignment_id) DO UPDATE
        SET recorded_at = excluded.recorded_at, lat = excluded.lat, lng = excluded.lng,
          accuracy = excluded.accuracy, heading = excluded.heading, speed = excluded.speed,
          received_at = excluded.received_at
        WHERE p.recorded_at <= excluded.recorded_at`

    /**
     * One position, without arrays, groups and sorted duplicates: most phones report one at a time. It returns the trip of each
     * assignment under way.
     */
    const insertLine = compiled<ReturnType<typeof columnsOfLine>>(
      sql,
      (line) => sql`
      WITH seen AS MATERIALIZED (
        SELECT a.business_id, a.assignment_id, a.trip_id,
          ${line.time}::timestamptz AS recorded_at, ${line.lat}::float8 AS lat, ${line.lng}::float8 AS lng,
          ${line.accuracy}::float8 AS accuracy, ${line.heading}::float8 AS heading, ${line.speed}::float8 AS speed
        FROM assignments a
        WHERE a.business_id = ${line.business} AND a.driver_id = ${line.driver} AND ${isUnderWay}
          AND a.assignment_id = coalesce(${line.assignment}::bigint, a.assignment_id)
          AND ${mayReport(line.business, line.token)}
          AND ${line.time}::timestamptz >= a.en_route_at - ${tolerance}
        ORDER BY a.assignment_id
      ), trail AS (${intoTrail} FROM seen ON CONFLICT DO NOTHING),
      last AS (${intoPositions(sql``)} FROM seen ${unlessOlder})
      SELECT DISTINCT trip_id FROM seen ORDER BY trip_id`
    )

    const insertLines = compiled<ReturnType<typeof columnsOfLines>>(
      sql,
      (lines) => sql`
      WITH lines AS (
        SELECT * FROM unnest(
          ${lines.reports}::int[],
          ${lines.businesses}::bigint[],
          ${lines.drivers}::bigint[],
          ${lines.assignments}::bigint[],
          ${lines.tokens}::text[],
          ${lines.lats}::float8[],
          ${lines.lngs}::float8[],
          ${lines.accuracies}::float8[],
          ${lines.headings}::float8[],
          ${lines.speeds}::float8[],
          ${lines.times}::timestamptz[]
        ) WITH ORDINALITY AS l (report, business_id, driver_id, assignment_id, token_hash, lat, lng, accuracy,
          heading, speed, recorded_at, line)
      ), under_way AS MATERIALIZED (
        SELECT r.report, r.business_id, a.assignment_id, a.trip_id, a.en_route_at
        FROM (SELECT DISTINCT report, business_id, driver_id, assignment_id, token_hash FROM lines) r
        CROSS JOIN LATERAL (
          SELECT a.assignment_id, a.trip_id, a.en_route_at FROM assignments a
          WHERE a.business_id = r.business_id AND a.driver_id = r.driver_id AND ${isUnderWay}
            AND a.assignment_id = coalesce(r.assignment_id, a.assignment_id)
            AND ${mayReport(sql.literal("r.business_id"), sql.literal("r.token_hash"))}
          OFFSET 0
        ) a
      ), seen AS MATERIALIZED (
        SELECT u.report, u.business_id, u.assignment_id, u.trip_id,
          l.recorded_at, l.lat, l.lng, l.accuracy, l.heading, l.speed, l.line
        FROM under_way u JOIN lines l USING (report)
        WHERE l.recorded_at >= u.en_route_at - ${tolerance}
      ), trail AS (
        ${intoTrail} FROM seen ORDER BY business_id, assignment_id, recorded_at, lat, lng, line
        ON CONFLICT DO NOTHING
      ), last AS (
        ${intoPositions(sql`DISTINCT ON (business_id, assignment_id)`)}
        FROM seen ORDER BY business_id, assignment_id, recorded_at DESC, line DESC ${unlessOlder}
      )
      SELECT report, count(DISTINCT line)::int AS positions, json_agg(DISTINCT trip_id ORDER BY trip_id) AS trips
      FROM seen GROUP BY report`
    )

    const recordLine = (line: Line) =>
      Effect.map(tripsOf(insertLine(columnsOfLine(line))), (rows) => [
        { positions: rows.length > 0 ? 1 : 0, trips: rows.map(({ trip_id }) => trip_id) }
      ])

    const recordLines = (reports: ReadonlyArray<LocationReport>) =>
      Effect.map(recorded(insertLines(columnsOfLines(reports))), (rows) => {
        const byReport = new Map(rows.map(({ report, ...receipt }) => [report, receipt]))
        return reports.map((_, report) => byReport.get(report) ?? { positions: 0, trips: [] })
      })

    const recordPlainly = makePlainPositions(sql, { isUnderWay, mayReport, stored, unlessOlder })

    const record = traced("DriverLocationRepositoryPg.record")((reports: ReadonlyArray<LocationReport>) => {
      const [line, ...others] = linesOf(reports)
      return inForm({
        oneStatement:
          line === undefined || others.length > 0 || reports.length > 1
            ? recordLines(reports)
            : recordLine(line),
        plain: Effect.forEach(reports, recordPlainly)
      })
    })

    const ofBusiness = (businessId: BusinessId, request: PageRequest) => {
      const underWay = sql`
      FROM assignments a
      JOIN driver_positions p ON p.business_id = ${businessId} AND p.assignment_id = a.assignment_id
      WHERE a.business_id = ${businessId} AND ${isUnderWay}`
      const counted = sql`SELECT count(*) AS total FROM (SELECT ${underWay} LIMIT ${maxCount + 1}) c`
      const rows = sql`
      SELECT u.*, d.name AS driver_name, (${counted}) AS total
      FROM (
        SELECT a.business_id, a.driver_id, a.assignment_id, a.trip_id, ${columns}
        ${underWay} ORDER BY a.driver_id, a.assignment_id
        ${rowsOfPage(sql, request, false)}
      ) u JOIN drivers d ON d.business_id = ${businessId} AND d.driver_id = u.driver_id
      ORDER BY u.driver_id, u.assignment_id`
      return pagesOfPositions(request, { rows, counted })
    }

    return { record, ofBusiness }
  })
)
