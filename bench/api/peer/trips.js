/** The routes of trips. */
import { hash, randomBytes } from "node:crypto"
import { transaction } from "./database.js"
import { invalid, notFound } from "./errors.js"
import { detailsOf, instantOf, stringifyTrip, toMinor, tripRecord } from "./records.js"
import { idParams, listOf, tripInput, tripQuery, tripSchema } from "./schemas.js"
import { searchOf } from "./search.js"
import * as sql from "./statements.js"

const perPage = 20

/** For how long a list that was too long to count is not counted again. */
const uncountedMillis = 10_000

const alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
const newReference = () => `TR-${Array.from(randomBytes(7), (byte) => alphabet[byte & 31]).join("")}`

const cursorOf = (page, { trip_date, trip_id }) =>
  Buffer.from(`${page}.${trip_date.getTime()}.${trip_id}`).toString("base64url")

const paginationOf = (page, rows, total) => {
  const hasMore = rows.length > perPage
  const count = Math.min(rows.length, perPage)
  return {
    page,
    per_page: perPage,
    count,
    ...(total === undefined ? {} : { total, total_pages: Math.ceil(total / perPage) }),
    has_more: hasMore,
    ...(hasMore ? { next_cursor: cursorOf(page + 1, rows[count - 1]) } : {})
  }
}

/** A record's JSON in the envelope. */
const inEnvelope = (json, requestId) => `{"data":${json},"meta":{"request_id":"${requestId}"}}`

const trimmed = (text) => {
  const value = text === null ? "" : text.trim()
  return value === "" ? null : value
}

/** The columns of a new trip from what a caller sent. */
const rowOf = (body, business, now) => {
  const currency = trimmed(body.currency)?.toUpperCase() ?? business.currency
  return {
    ...body,
    business_id: business.business_id,
    reference: newReference(),
    status: "confirmed",
    payment_status: "unpaid",
    trip_type: body.trip_type ?? "transfer",
    trip_date: instantOf(body.trip_date, business.timezone),
    pickup_address: body.pickup_address.trim(),
    pickup_postal_code: trimmed(body.pickup_postal_code),
    dropoff_address: body.dropoff_address.trim(),
    dropoff_postal_code: trimmed(body.dropoff_postal_code),
    customer_name: body.customer_name.trim(),
    customer_email: trimmed(body.customer_email)?.toLowerCase() ?? null,
    customer_phone: trimmed(body.customer_phone),
    total_minor: body.total_amount === null ? null : toMinor(body.total_amount, currency),
    currency,
    flight_number: trimmed(body.flight_number),
    terminal: trimmed(body.terminal),
    notes: trimmed(body.notes),
    special_requirements: trimmed(body.special_requirements),
    external_ref: trimmed(body.external_ref),
    group_id: trimmed(body.group_id),
    details: detailsOf(body),
    created_at: now,
    updated_at: now
  }
}

/** What a new trip refers to and the business lacks. */
const missingOf = async (client, { business_id, car_id, customer_id }) => {
  const held = async (statement, id) =>
    id === null || (await client.query({ ...statement, values: [business_id, id] })).rows.length > 0
  const issues = []
  if (!(await held(sql.holdCar, car_id))) issues.push({ field: "car_id", issue: "not_found" })
  if (!(await held(sql.holdCustomer, customer_id))) issues.push({ field: "customer_id", issue: "not_found" })
  return issues
}

/** The customer with that address, if there is one. */
const customerByEmail = async (client, { business_id, customer_email }) => {
  if (customer_email === null) return null
  const { rowCount } = await client.query({ ...sql.awaitCustomers, values: [business_id] })
  if (rowCount === 0) {
    await client.query({ ...sql.addCustomerLock, values: [business_id] })
    await client.query({ ...sql.awaitCustomers, values: [business_id] })
  }
  const { rows } = await client.query({ ...sql.holdCustomerByEmail, values: [business_id, customer_email] })
  return rows[0]?.customer_id ?? null
}

/** Stores a trip with its event and deliveries, and gives the JSON of its record with its warnings. A car is not checked. */
const book = async (client, body, business, actor) => {
  const now = new Date()
  const row = rowOf(body, business, now)
  const issues = row.total_minor === undefined ? [{ field: "total_amount", issue: "invalid" }] : []
  issues.push(...(await missingOf(client, row)))
  if (issues.length > 0) throw invalid(issues)
  row.customer_id ??= await customerByEmail(client, row)
  const { rows: found } = await client.query({
    ...sql.likelyDuplicates,
    values: [row.business_id, row.trip_date, row.pickup_address, row.customer_name]
  })
  let stored
  do {
    const values = sql.newTripColumns.map((column) => row[column])
    const { rows } = await client.query({ ...sql.insertTrip, values: [...values, actor, searchOf(row)] })
    stored = rows[0]
    row.reference = newReference()
  } while (stored === undefined)
  const { business_id, timezone } = business
  const json = stringifyTrip(tripRecord(stored, timezone))
  const eventId = `evt_${randomBytes(16).toString("hex")}`
  const created = Math.floor(Date.now() / 1000)
  const event = `{"id":"${eventId}","type":"trip.created","created":${created},"data":${json},"meta":{"business_id":${business_id}}}`
  await client.query({ ...sql.insertEvent, values: [business_id, eventId, "trip.created", event] })
  return `${json.slice(0, -1)},"warnings":${JSON.stringify(found[0].warnings)}}`
}

export const tripRoutes = (app, { access, pool }) => {
  const onRequest = access.withApiKey
  const uncountedUntil = new Map()

  app.get(
    "/api/v1/trips",
    { onRequest, schema: { querystring: tripQuery, response: { 200: listOf(tripSchema) } } },
    async (request) => {
      const { business } = request
      const { page, ...filter } = request.query
      const list = JSON.stringify([business.business_id, filter])
      const now = Date.now()
      const isCounted = (uncountedUntil.get(list) ?? 0) <= now
      const offset = (page - 1) * perPage
      const { rows } = await pool.query(sql.listTrips(business.business_id, filter, offset, isCounted))
      const counted = isCounted ? (rows[0]?.total ?? 0) : undefined
      const total = counted > sql.maxCount ? undefined : counted
      if (isCounted && total === undefined) {
        if (uncountedUntil.size >= 10_000) uncountedUntil.clear()
        uncountedUntil.set(list, now + uncountedMillis)
      }
      return {
        data: rows.slice(0, perPage).map((row) => tripRecord(row, business.timezone)),
        meta: { request_id: request.id, pagination: paginationOf(page, rows, total) }
      }
    }
  )

  app.get("/api/v1/trips/:id", { onRequest, schema: { params: idParams } }, async (request, reply) => {
    const { business, id, params } = request
    const { rows } = await pool.query({ ...sql.findTrip, values: [business.business_id, params.id] })
    if (rows.length === 0) throw notFound("trip")
    const json = stringifyTrip(tripRecord(rows[0], business.timezone))
    reply.header("etag", `"${hash("sha256", json, "base64url").slice(0, 27)}"`)
    return inEnvelope(json, id)
  })

  app.post("/api/v1/trips", { onRequest, schema: { body: tripInput } }, async (request, reply) => {
    const { actor, body, business, id } = request
    const json = await transaction(pool, (client) => book(client, body, business, actor))
    reply.code(201)
    return inEnvelope(json, id)
  })
}
