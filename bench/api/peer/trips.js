/** The routes of trips. */
import { hash, randomBytes } from "node:crypto"
import { transaction } from "./database.js"
import { eventOf } from "./events.js"
import { invalid, notFound } from "./errors.js"
import { tripSchema } from "./answers.js"
import { detailsOf, instantOf, stringifyTrip, toMinor, tripRecord } from "./records.js"
import { idParams, listOf, tripInput, tripQuery } from "./schemas.js"
import { searchOf } from "./search.js"
import * as sql from "./statements.js"

const perPage = 20

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
export const inEnvelope = (json, requestId) => `{"data":${json},"meta":{"request_id":"${requestId}"}}`

const trimmed = (text) => {
  const value = text === null ? "" : text.trim()
  return value === "" ? null : value
}

/** The fields that are no columns: they are stored together. Amounts are stored in minor units. */
const detailNames = Object.keys(tripInput.properties).filter(
  (name) => !sql.newTripColumns.includes(name) && !name.endsWith("_amount")
)

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
    details: detailsOf({
      ...Object.fromEntries(detailNames.map((name) => [name, body[name]])),
      tolls_minor: body.tolls_amount === null ? null : toMinor(body.tolls_amount, currency)
    }),
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

/** Gives `next()`: the id of a new trip. Ids are drawn by the hundred. */
const makeTripIds = (pool) => {
  const drawn = []
  let drawing
  return async () => {
    while (drawn.length === 0) {
      drawing ??= pool.query(sql.drawTripIds).then(({ rows }) => {
        drawn.push(...rows.map(({ trip_id }) => trip_id))
        drawing = undefined
      })
      await drawing
    }
    return drawn.shift()
  }
}

/** Stores a trip with its event and deliveries in one statement, and gives the JSON of its record with its warnings. */
const store = async (client, nextId, row, { business_id, timezone }, actor) => {
  for (;;) {
    row.trip_id = await nextId()
    const json = stringifyTrip(tripRecord({ ...row, driver_status: "unassigned", drivers: [] }, timezone))
    const values = sql.newTripColumns.map((column) => row[column])
    const { rows } = await client.query({
      ...sql.book,
      values: [...values, actor, searchOf(row), ...eventOf(business_id, "trip.created", json)]
    })
    if (rows.length > 0) return `${json.slice(0, -1)},"warnings":${JSON.stringify(rows[0].warnings)}}`
    row.reference = newReference()
  }
}

/** Books a trip; in a transaction if it refers to other records, which must stay until it is stored. A car's clashes are not checked. */
const book = async (pool, nextId, body, business, actor) => {
  const row = rowOf(body, business, new Date())
  const amountIssues = row.total_minor === undefined ? [{ field: "total_amount", issue: "invalid" }] : []
  const isAlone = row.car_id === null && row.customer_id === null && row.customer_email === null
  if (isAlone && amountIssues.length === 0) return store(pool, nextId, row, business, actor)
  return transaction(pool, async (client) => {
    const issues = [...amountIssues, ...(await missingOf(client, row))]
    if (issues.length > 0) throw invalid(issues)
    row.customer_id ??= await customerByEmail(client, row)
    return store(client, nextId, row, business, actor)
  })
}

/** The filter of the list in the terms of its statement. Days are those of the business's clock. */
const filterOf = ({ date_from, date_to, filter, ...rest }, { timezone }) => {
  delete rest.page
  const startOf = (day, days = 0) => instantOf(`${nextDay(day, days)}T00:00:00`, timezone)
  if (date_from !== undefined) rest.date_from = startOf(date_from)
  if (date_to !== undefined) rest.date_to = startOf(date_to, 1)
  if (filter !== undefined) rest[filter] = new Date()
  return rest
}
const nextDay = (day, days) => new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10)

export const tripRoutes = (app, { access, pool }) => {
  const onRequest = access.withApiKey
  const nextId = makeTripIds(pool)

  app.get(
    "/api/v1/trips",
    { onRequest, schema: { querystring: tripQuery, response: { 200: listOf(tripSchema) } } },
    async ({ business, id, query }) => {
      const { page } = query
      const { rows } = await pool.query(
        sql.listTrips(business.business_id, filterOf(query, business), (page - 1) * perPage, true)
      )
      const counted = rows[0]?.total ?? 0
      const total = counted > sql.maxCount ? undefined : counted
      return {
        data: rows.slice(0, perPage).map((row) => tripRecord(row, business.timezone)),
        meta: { request_id: id, pagination: paginationOf(page, rows, total) }
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
    const json = await book(pool, nextId, body, business, actor)
    reply.code(201)
    return inEnvelope(json, id)
  })
}
