/** What an office does besides booking: changes, assignments, payments, and its lists of people. */
import { hash, randomBytes } from "node:crypto"
import { customerSchema, driverSchema } from "./answers.js"
import { transaction } from "./database.js"
import { invalid, notFound } from "./errors.js"
import { eventOf } from "./events.js"
import { plainRecord, stringifyTrip, toMinor, tripRecord } from "./records.js"
import { assignmentInput, idParams, listOf, pageQuery, paymentInput, terminalInput } from "./schemas.js"
import * as sql from "./statements.js"
import { inEnvelope } from "./trips.js"

const perPage = 25

const held = async (client, statement, businessId, id, resource) => {
  const { rows } = await client.query({ ...statement, values: [businessId, id] })
  if (rows.length === 0) throw notFound(resource)
  return rows[0]
}

/** Changes the terminal of a trip: the one field of a change that the benchmark sends. */
const change = (pool, { actor, body, business, params }) =>
  transaction(pool, async (client) => {
    const { business_id, timezone } = business
    const trip = await held(client, sql.holdTrip, business_id, params.id, "trip")
    const now = new Date()
    const json = stringifyTrip(tripRecord({ ...trip, terminal: body.terminal, updated_at: now }, timezone))
    await client.query({
      ...sql.changeTerminal,
      values: [
        business_id,
        trip.trip_id,
        body.terminal,
        now,
        actor,
        { terminal: trip.terminal },
        { terminal: body.terminal },
        ...eventOf(business_id, "trip.updated", json)
      ]
    })
    return `${json.slice(0, -1)},"warnings":[]}`
  })

const isLive = ({ status }) => status === "assigned" || status === "en_route"

/** Gives a trip its whole set of drivers. */
const assign = (pool, { actor, body, business, params }) =>
  transaction(pool, async (client) => {
    const { business_id, timezone } = business
    const wanted = body.driver_ids
    const { rows: active } = await client.query({ ...sql.holdDrivers, values: [business_id, wanted] })
    if (active.length < wanted.length) throw invalid([{ field: "driver_ids", issue: "not_found" }])
    const trip = await held(client, sql.holdTrip, business_id, params.id, "trip")
    const live = trip.drivers.filter(isLive)
    const gone = live.filter(({ driver_id }) => !wanted.includes(driver_id))
    const come = active.filter(({ driver_id }) => !live.some((other) => other.driver_id === driver_id))
    const ends = new Date(trip.trip_date.getTime() + (trip.duration_minutes ?? 60) * 60_000)
    const { rows: clashes } = await client.query({
      ...sql.overlapping,
      values: [business_id, wanted, trip.trip_date, ends, trip.trip_id]
    })
    const warnings = clashes.map(({ driver_id, trip_id }) => ({ type: "schedule_clash", driver_id, trip_id }))
    const answer = (record, assigned) =>
      `{"trip":${stringifyTrip(record)},"drivers":${JSON.stringify(assigned)},"warnings":${JSON.stringify(warnings)}}`
    if (gone.length === 0 && come.length === 0) return answer(tripRecord(trip, timezone), [])
    const now = new Date()
    const tokens = come.map(() => `drv_${business_id}_${randomBytes(32).toString("base64url")}`)
    const idsOf = (drivers) => drivers.map(({ driver_id }) => driver_id)
    const data = JSON.stringify({
      trip_id: trip.trip_id,
      driver_ids: wanted,
      assignments: wanted.map((driver_id) => ({ driver_id, car_id: null })),
      added_driver_ids: idsOf(come),
      removed_driver_ids: idsOf(gone),
      declined_driver_ids: []
    })
    await client.query({
      ...sql.assign,
      values: [
        business_id,
        trip.trip_id,
        idsOf(gone),
        idsOf(come),
        tokens.map((token) => hash("sha256", token, "hex")),
        trip.trip_date,
        ends,
        now,
        actor,
        ...eventOf(business_id, "driver.assigned", data)
      ]
    })
    const drivers = [
      ...trip.drivers.map((driver) => (gone.includes(driver) ? { ...driver, status: "cancelled" } : driver)),
      ...come.map(({ driver_id, name }) => ({
        driver_id,
        name,
        status: "assigned",
        car_id: null,
        accepted_at: null,
        declined_at: null,
        decline_reason: null,
        milestones: []
      }))
    ]
    const record = tripRecord({ ...trip, driver_status: "assigned", updated_at: now, drivers }, timezone)
    const assigned = come.map(({ driver_id, name }, index) => ({
      driver_id,
      name,
      status: "assigned",
      car_id: null,
      driver_token: tokens[index]
    }))
    return answer(record, assigned)
  })

const sealed = (businessId, invoiceId, number) => [
  number,
  ...eventOf(
    businessId,
    "invoice.updated",
    JSON.stringify({ invoice_id: invoiceId, change: "sealed", trip_ids: [] })
  )
]

/** Records a payment of an invoice that is not paid in full by it. */
const pay = (pool, { actor, body, business, params }) =>
  transaction(pool, async (client) => {
    const { business_id } = business
    const invoice = await held(client, sql.holdInvoice, business_id, params.id, "invoice")
    const amount = toMinor(body.amount, invoice.currency)
    const paid = invoice.paid_minor + (amount ?? 0)
    if (amount === undefined || paid > invoice.total_minor)
      throw invalid([{ field: "amount", issue: amount === undefined ? "invalid" : "out_of_range" }])
    const now = new Date()
    const invoiceId = Number(params.id)
    const seals = invoice.sealed_at === null
    const { rows } = await client.query({
      ...(seals ? sql.payAndSeal : sql.pay),
      values: [
        business_id,
        invoiceId,
        amount,
        invoice.currency,
        body.method,
        now,
        paid === invoice.total_minor ? "paid" : "partial",
        paid,
        actor,
        body.amount,
        ...eventOf(
          business_id,
          "payment.succeeded",
          JSON.stringify({ invoice_id: invoiceId, amount: body.amount })
        ),
        ...(seals ? sealed(business_id, invoiceId, invoice.number) : [])
      ]
    })
    const at = `${now.toISOString().slice(0, 19)}Z`
    return JSON.stringify({
      payment_id: rows[0].payment_id,
      invoice_id: invoiceId,
      kind: "payment",
      amount: body.amount,
      currency: invoice.currency,
      method: body.method,
      received_at: at,
      reference: null,
      refund_of: null,
      created_at: at
    })
  })

export const officeRoutes = (app, { access, pool }) => {
  const onRequest = access.withApiKey
  const write = (method, url, status, body, work) =>
    app.route({
      method,
      url,
      onRequest,
      schema: { params: idParams, body },
      handler: async (request, reply) => {
        const json = await work(pool, request)
        reply.code(status)
        return inEnvelope(json, request.id)
      }
    })
  write("PATCH", "/api/v1/trips/:id", 200, terminalInput, change)
  write("POST", "/api/v1/trips/:id/drivers", 200, assignmentInput, assign)
  write("POST", "/api/v1/invoices/:id/payments", 201, paymentInput, pay)

  const list = (url, statement, schema) =>
    app.get(
      url,
      { onRequest, schema: { querystring: pageQuery, response: { 200: listOf(schema) } } },
      async ({ business, id, query: { page } }) => {
        const { rows } = await pool.query({
          ...statement,
          values: [business.business_id, (page - 1) * perPage]
        })
        const total = rows[0]?.total ?? 0
        const count = Math.min(rows.length, perPage)
        return {
          data: rows.slice(0, perPage).map(plainRecord),
          meta: {
            request_id: id,
            pagination: {
              page,
              per_page: perPage,
              count,
              ...(total > sql.maxCount ? {} : { total, total_pages: Math.ceil(total / perPage) }),
              has_more: rows.length > perPage
            }
          }
        }
      }
    )
  list("/api/v1/customers", sql.listCustomers, customerSchema)
  list("/api/v1/drivers", sql.listDrivers, driverSchema)
}
