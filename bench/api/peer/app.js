/** The application: what every request goes through, and its routes. */
import { Ajv } from "ajv"
import Fastify, { LogController } from "fastify"
import { randomFillSync } from "node:crypto"
import { makeAccess } from "./access.js"
import { driverRoutes } from "./driving.js"
import { errorBody, notFound, refusalOf } from "./errors.js"
import { formats } from "./formats.js"
import { measured, scrape } from "./metrics.js"
import { officeRoutes } from "./office.js"
import { pingSchema } from "./answers.js"
import { dataOf, live } from "./schemas.js"
import { tripRoutes } from "./trips.js"

// Random bytes for many ids at once: a call for each id costs more than the bytes.
const idBytes = 12
const random = Buffer.alloc(idBytes * 1024)
let used = random.length
const newRequestId = () => {
  if (used === random.length) {
    randomFillSync(random)
    used = 0
  }
  used += idBytes
  return `req_${random.toString("hex", used - idBytes, used)}`
}

const commonHeaders = { vary: "Origin, Accept-Encoding", "x-content-type-options": "nosniff" }

/** The headers of every answer of the API, which may be read from any origin. */
const apiHeaders = {
  "access-control-allow-origin": "*",
  "access-control-expose-headers":
    "X-Request-Id,X-RateLimit-Limit,X-RateLimit-Remaining,X-RateLimit-Reset,ETag,Retry-After,Idempotency-Replayed",
  "cache-control": "no-store"
}

const preflightHeaders = {
  "access-control-allow-methods": "GET, HEAD, POST, PATCH, DELETE",
  "access-control-allow-headers":
    "Authorization,Content-Type,X-Business-Id,X-Audit-Reason,Idempotency-Key,If-Match,If-None-Match",
  "access-control-max-age": "86400"
}

/** An API key may change everything but credentials and staff. */
const notOfKeys = new Set(["api_keys", "members"])
const rights = Object.fromEntries(
  Object.keys(pingSchema.properties.rights.properties).map((area) => [
    area,
    notOfKeys.has(area) ? "none" : "write"
  ])
)

const pathOf = ({ url }) => {
  const query = url.indexOf("?")
  return query === -1 ? url : url.slice(0, query)
}

export const build = async ({ counters, limits, logger, pool }) => {
  const app = Fastify({
    loggerInstance: logger,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: newRequestId,
    bodyLimit: 1024 * 1024,
    keepAliveTimeout: 65_000,
    requestTimeout: 30_000
  })

  const options = { allErrors: true, useDefaults: true, verbose: true, formats }
  const ofBodies = new Ajv(options)
  const ofTexts = new Ajv({ ...options, coerceTypes: true })
  app.setValidatorCompiler(({ httpPart, schema }) =>
    (httpPart === "body" ? ofBodies : ofTexts).compile(schema)
  )

  const access = makeAccess({ counters, limits, pool })
  app.decorateRequest("business", null)
  app.decorateRequest("driver", null)
  app.decorateRequest("actor", null)

  app.addHook("onSend", (request, reply, payload, done) => {
    reply.headers(commonHeaders)
    reply.header("x-request-id", request.id)
    if (request.url.startsWith("/api/v1/")) reply.headers(apiHeaders)
    if (payload !== "" && request.url !== "/metrics") reply.header("content-type", "application/json")
    done(null, payload)
  })

  app.addHook("onResponse", (request, reply, done) => {
    const { elapsedTime, statusCode } = reply
    measured(request.method, request.routeOptions.url ?? "unknown", statusCode, elapsedTime)
    const path = pathOf(request)
    const line = {
      request_id: request.id,
      method: request.method,
      path,
      status: statusCode,
      duration_ms: Math.round(elapsedTime)
    }
    if (request.business !== null) line.business_id = request.business.business_id
    if (path.startsWith("/health/") || path === "/metrics") app.log.debug(line, "request")
    else app.log.info(line, "request")
    done()
  })

  app.setErrorHandler((error, request, reply) => {
    const refusal = refusalOf(error, request.routeOptions.schema)
    if (refusal.statusCode >= 500) request.log.error(error)
    if (refusal.statusCode === 401) reply.header("www-authenticate", "Bearer")
    reply.code(refusal.statusCode).send(errorBody(refusal, request.id))
  })

  app.setNotFoundHandler((request, reply) => {
    access.count("public", request.ip, reply, (error) => reply.send(error ?? notFound("route")))
  })

  app.options("/*", (request, reply) => reply.headers(preflightHeaders).code(204).send())

  app.get("/metrics", async (request, reply) => {
    reply.type("text/plain; version=0.0.4; charset=utf-8")
    return scrape()
  })

  app.get("/health/live", { schema: { response: { 200: dataOf(live) } } }, (request, reply) => {
    reply.send({ data: { status: "live" }, meta: { request_id: request.id } })
  })

  app.get(
    "/api/v1/ping",
    { onRequest: access.withApiKey, schema: { response: { 200: dataOf(pingSchema) } } },
    (request, reply) => {
      const { business_id } = request.business
      const time = `${new Date().toISOString().slice(0, 19)}Z`
      reply.send({
        data: { ok: true, business_id, api_version: "1.0.0", time, role: "api_key", rights },
        meta: { request_id: request.id }
      })
    }
  )

  tripRoutes(app, { access, pool })
  driverRoutes(app, { access, pool })
  officeRoutes(app, { access, pool })
  return app
}
