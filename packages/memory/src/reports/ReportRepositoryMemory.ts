import {
  type BusinessId,
  type CreditNote,
  dueMinorOf,
  type InvoiceLine,
  isOpenInvoice,
  ReportRepository,
  type ReportTime,
  type RevenueRow,
  type TripId,
  type UnpaidAge,
  WallClock
} from "@livery/domain"
import { DateTime } from "effect"
import { inMemory } from "../store/Store.ts"

const isIn = (at: DateTime.Utc, { before, from }: Partial<Pick<ReportTime, "before" | "from">>) =>
  (from === undefined || !DateTime.isLessThan(at, from)) &&
  (before === undefined || DateTime.isLessThan(at, before))

/** Whether a day is in the time, which begins and ends with a day. */
const isDayIn = (
  day: string,
  { before, from, timezone }: Partial<Pick<ReportTime, "before" | "from">> & Pick<ReportTime, "timezone">
) =>
  (from === undefined || day >= WallClock.localDay(from, timezone)) &&
  (before === undefined || day < WallClock.localDay(before, timezone))

const sum = <A>(rows: ReadonlyArray<A>, value: (row: A) => number) =>
  rows.reduce((total, row) => total + value(row), 0)

/** The rows of each key. */
const grouped = <A>(rows: ReadonlyArray<A>, keyOf: (row: A) => ReadonlyArray<unknown>) =>
  [...Map.groupBy(rows, (row) => JSON.stringify(keyOf(row))).values()].flatMap((group) => {
    const [first] = group
    return first === undefined ? [] : [[first, group] as const]
  })

const ageOf = (days: number): UnpaidAge =>
  days <= 0 ? "not_due" : days <= 30 ? "to_30" : days <= 60 ? "to_60" : days <= 90 ? "to_90" : "over_90"

export const layer = inMemory(ReportRepository, (store) => {
  const {
    assignments,
    bookings,
    cars,
    creditNotes,
    customers,
    drivers,
    invoices,
    products,
    step,
    timeline,
    trips
  } = store

  const documents = (businessId: BusinessId, time: ReportTime) => {
    const counted = invoices.where(
      ({ business_id, deleted_at, number, status }) =>
        business_id === businessId && deleted_at === undefined && number !== "" && status !== "void"
    )
    const ofInvoice = new Map(counted.map((invoice) => [invoice.invoice_id, invoice]))
    const notes: ReadonlyArray<CreditNote> = creditNotes.where(({ invoice_id }) => ofInvoice.has(invoice_id))
    return [
      ...counted.map((invoice) => ({ ...invoice, taxes: null, day: invoice.issued_on })),
      ...notes.map((note) => ({
        ...note,
        day: WallClock.localDay(note.created_at, time.timezone),
        customer_id: ofInvoice.get(note.invoice_id)?.customer_id ?? null
      }))
    ].filter(({ day }) => isDayIn(day, time))
  }

  const inTime = (businessId: BusinessId, time: ReportTime) =>
    trips.where(
      ({ business_id, deleted_at, trip_date }) =>
        business_id === businessId && deleted_at === undefined && isIn(trip_date, time)
    )

  /** The completed assignments of completed trips. */
  const completed = (businessId: BusinessId, time: ReportTime) => {
    const ofId = new Map(
      inTime(businessId, time)
        .filter(({ status }) => status === "completed")
        .map((trip) => [trip.trip_id, trip])
    )
    return assignments
      .where(({ status, trip_id }) => status === "completed" && ofId.has(trip_id))
      .flatMap((assignment) => {
        const trip = ofId.get(assignment.trip_id)
        if (trip === undefined || assignment.assignment_id <= (trip.reopened_after ?? 0)) return []
        const { completedAt, enRouteAt } = assignment
        const arrived = assignment.milestones.find(({ milestone }) => milestone === "arrived_at_pickup")?.at
        return [
          {
            driver_id: assignment.driver_id,
            car_id: assignment.car_id ?? trip.car_id,
            day: WallClock.localDay(trip.trip_date, time.timezone),
            metres: trip.distance_m ?? 0,
            work_ms:
              completedAt === null || enRouteAt === null
                ? 0
                : DateTime.toEpochMillis(completedAt) - DateTime.toEpochMillis(enRouteAt),
            late_ms:
              arrived === undefined
                ? null
                : DateTime.toEpochMillis(arrived) - DateTime.toEpochMillis(trip.trip_date)
          }
        ]
      })
  }

  type Work = ReturnType<typeof completed>[number]

  const sums = (rows: ReadonlyArray<Work>) => ({
    jobs: rows.length,
    work_ms: sum(rows, ({ work_ms }) => work_ms),
    metres: sum(rows, ({ metres }) => metres),
    days_used: new Set(rows.map(({ day }) => day)).size
  })

  const classOf = (tripId: TripId | null) =>
    (tripId === null ? undefined : trips.get(tripId))?.vehicle_class ?? null

  const productOf = (tripId: TripId | null, invoiceId: number) =>
    bookings.where(({ trip_id }) => tripId !== null && trip_id === tripId)[0]?.product_id ??
    bookings.where(({ invoice_id }) => invoice_id === invoiceId)[0]?.product_id ??
    null

  const nameOf = (rows: { readonly where: () => ReadonlyArray<object> }, field: string, id: unknown) => {
    const row = rows.where().find((one) => (one as Readonly<Record<string, unknown>>)[field] === id)
    return row === undefined ? null : String((row as { readonly name?: string }).name)
  }

  const whole = (
    businessId: BusinessId,
    time: ReportTime,
    keyOf: (document: ReturnType<typeof documents>[number]) => string | null,
    labelOf: (key: string | null) => string | null
  ): ReadonlyArray<RevenueRow> =>
    grouped(documents(businessId, time), (document) => [keyOf(document), document.currency]).map(
      ([first, group]) => ({
        key: keyOf(first),
        label: labelOf(keyOf(first)),
        currency: first.currency,
        documents: group.length,
        net_minor: sum(group, ({ subtotal_minor }) => subtotal_minor),
        tax_minor: sum(group, ({ tax_minor }) => tax_minor),
        total_minor: sum(group, ({ total_minor }) => total_minor)
      })
    )

  const byLine = (
    businessId: BusinessId,
    time: ReportTime,
    keyOf: (line: InvoiceLine, invoiceId: number) => string | null,
    labelOf: (key: string | null) => string | null
  ): ReadonlyArray<RevenueRow> => {
    const lines = documents(businessId, time).flatMap((document, index) =>
      document.lines.map((line) => ({
        key: keyOf(line, document.invoice_id),
        currency: document.currency,
        net_minor: line.net_minor,
        document: index
      }))
    )
    return grouped(lines, ({ currency, key }) => [key, currency]).map(([{ currency, key }, group]) => ({
      key,
      label: labelOf(key),
      currency,
      documents: new Set(group.map(({ document }) => document)).size,
      net_minor: sum(group, ({ net_minor }) => net_minor),
      tax_minor: null,
      total_minor: null
    }))
  }

  const textOf = (id: number | null) => (id === null ? null : String(id))

  return {
    revenue: (businessId, time, by) =>
      step(() => {
        const itself = (key: string | null) => key
        if (by === "day") return whole(businessId, time, ({ day }) => day, itself)
        if (by === "month") return whole(businessId, time, ({ day }) => day.slice(0, 7), itself)
        if (by === "customer")
          return whole(
            businessId,
            time,
            ({ customer_id }) => textOf(customer_id),
            (key) => (key === null ? null : nameOf(customers, "customer_id", Number(key)))
          )
        if (by === "class") return byLine(businessId, time, ({ trip_id }) => classOf(trip_id), itself)
        return byLine(
          businessId,
          time,
          ({ trip_id }, invoiceId) => textOf(productOf(trip_id, invoiceId)),
          (key) => (key === null ? null : nameOf(products, "product_id", Number(key)))
        )
      }),
    taxed: (businessId, time) => step(() => documents(businessId, time)),
    trips: (businessId, time, by) =>
      step(() => {
        const channelOf = (tripId: TripId) => {
          const actor = timeline
            .where(({ trip_id }) => trip_id === tripId)[0]
            ?.actor.replace(/^imported:/u, "")
          if (actor === undefined) return null
          return actor === "customer" ? "website" : actor.startsWith("api_key:") ? "api" : "office"
        }
        const rows = inTime(businessId, time).map((trip) => ({
          key: by === "status" ? trip.status : channelOf(trip.trip_id),
          currency: trip.currency,
          amount_minor: (trip.status === "cancelled" ? trip.cancellation_fee_minor : trip.total_minor) ?? 0
        }))
        return grouped(rows, ({ currency, key }) => [key, currency]).map(([{ currency, key }, group]) => ({
          key,
          currency,
          trips: group.length,
          amount_minor: sum(group, ({ amount_minor }) => amount_minor)
        }))
      }),
    punctuality: (businessId, time) =>
      step(() =>
        grouped(completed(businessId, time), ({ driver_id }) => [driver_id]).map(([{ driver_id }, group]) => {
          const late = group.flatMap(({ late_ms }) =>
            late_ms === null ? [] : [Math.floor(late_ms / 60_000)]
          )
          const between = (least: number, most: number) =>
            late.filter((minutes) => minutes >= least && minutes <= most).length
          return {
            driver_id,
            driver_name: drivers.get(driver_id)?.name ?? "",
            jobs: group.length,
            reported: late.length,
            on_time: between(Number.NEGATIVE_INFINITY, 0),
            late_to_5: between(1, 5),
            late_to_15: between(6, 15),
            late_over_15: between(16, Number.POSITIVE_INFINITY),
            late_ms: sum(group, ({ late_ms }) => late_ms ?? 0)
          }
        })
      ),
    drivers: (businessId, time) =>
      step(() =>
        grouped(completed(businessId, time), ({ driver_id }) => [driver_id]).map(
          ([{ driver_id }, group]) => ({
            driver_id,
            driver_name: drivers.get(driver_id)?.name ?? "",
            ...sums(group)
          })
        )
      ),
    cars: (businessId, time) =>
      step(() =>
        grouped(completed(businessId, time), ({ car_id }) => [car_id]).flatMap(([{ car_id }, group]) => {
          const car = car_id === null ? undefined : cars.get(car_id)
          return car === undefined
            ? []
            : [{ car_id: car.car_id, car_name: car.name, plate_number: car.plate_number, ...sums(group) }]
        })
      ),
    unpaid: (businessId, { timezone, ...time }, today) =>
      step(() => {
        const open = invoices
          .where(
            ({ business_id, deleted_at, issued_on, status }) =>
              business_id === businessId &&
              deleted_at === undefined &&
              isOpenInvoice(status) &&
              isDayIn(issued_on, { ...time, timezone })
          )
          .filter((invoice) => dueMinorOf(invoice) > 0)
          .map((invoice) => {
            const since = invoice.due_date ?? invoice.issued_on
            return {
              key: ageOf((Date.parse(today) - Date.parse(since)) / 86_400_000),
              currency: invoice.currency,
              amount_minor: dueMinorOf(invoice)
            }
          })
        return grouped(open, ({ currency, key }) => [key, currency]).map(([{ currency, key }, group]) => ({
          key,
          currency,
          invoices: group.length,
          amount_minor: sum(group, ({ amount_minor }) => amount_minor)
        }))
      })
  }
})
