import { assert, layer } from "@effect/vitest"
import { Context, Effect } from "effect"
import { HttpApi, OpenApi } from "effect/http-api"
import { Api, documentedOperations } from "@livery/contract"
import { PortsInMemory } from "../support/TestPorts.ts"
import { business, login, superAdmin } from "../support/People.ts"
import { openServer, record, refusedAs, type TestServer } from "../support/TestServer.ts"

interface Operation {
  readonly operationId: string
  readonly summary?: string
  readonly security?: ReadonlyArray<Readonly<Record<string, unknown>>>
  readonly parameters: ReadonlyArray<{ readonly name: string }>
  readonly requestBody?: {
    readonly required: boolean
    readonly content: Readonly<Record<string, unknown>>
  }
  readonly responses: Readonly<Record<string, unknown>>
}

interface Document {
  readonly openapi: string
  readonly info: { readonly version: string }
  readonly servers: ReadonlyArray<{ readonly url: string }>
  readonly paths: Readonly<Record<string, object>>
  readonly components: {
    readonly securitySchemes: Readonly<Record<string, object>>
    readonly schemas: Readonly<Record<string, object>>
  }
}

const published = Effect.fnUntraced(function* (server: TestServer) {
  const document: Document = JSON.parse((yield* server.sendTo("GET", "/openapi.json")).text)
  const operations = documentedOperations(document).map(({ method, path, ...documented }) => {
    const operation = documented.operation as unknown as Operation
    return {
      ...operation,
      method,
      path: path.replaceAll(/\{\w+\}/gu, "1"),
      name: `${method} ${path}`,
      schemes: (operation.security ?? []).flatMap((schemes) => Object.keys(schemes))
    }
  })
  return { document, operations }
})

layer(PortsInMemory)("openapi.json", (it) => {
  it.effect("names the base address, which ends in /api/v1; routes outside of it name the server", () =>
    Effect.gen(function* () {
      for (const [options, root] of [
        [{}, ""],
        [{ publicUrl: "https://cars.example/livery/" }, "https://cars.example/livery"]
      ] as const) {
        const { document } = yield* published(yield* openServer(options))
        assert.deepStrictEqual(document.servers, [{ url: `${root}/api/v1` }])
        const outside = Object.entries(document.paths).filter(([, item]) => "servers" in item)
        assert.sameMembers(
          outside.map(([path]) => path),
          ["/health/live", "/health/ready"]
        )
        for (const [, item] of outside)
          assert.deepInclude(item, { servers: [{ url: root === "" ? "/" : root }] })
        assert.isDefined(document.paths["/trips/{id}"])
        assert.notMatch(Object.keys(document.paths).join(" "), /\/api\/v1/u)
      }
    })
  )

  it.effect(
    "lists every route of the contract but those of other programs' forms, with a name and a summary",
    () =>
      Effect.gen(function* () {
        const { document, operations } = yield* published(yield* openServer())
        const routes: Array<string> = []
        HttpApi.reflect(Api, {
          onGroup: () => undefined,
          onEndpoint: ({ endpoint }) => {
            const path = endpoint.path.replace(/(?<=.)\/$/u, "").replaceAll(/:(\w+)/gu, "{$1}")
            if (!Context.get(endpoint.annotations, OpenApi.Exclude)) routes.push(`${endpoint.method} ${path}`)
          }
        })
        assert.match(document.openapi, /^3\.1\./u)
        assert.strictEqual(document.info.version, "1.0.0")
        assert.sameMembers(
          operations.map(({ name }) => name),
          routes
        )
        for (const reported of ["GET /api/v1/me", "POST /api/v1/trips", "GET /health/ready"])
          assert.include(routes, reported)
        assert.strictEqual(new Set(operations.map(({ operationId }) => operationId)).size, operations.length)
        for (const { name, summary } of operations) assert.isNotEmpty(summary, name)
      })
  )

  it.effect("documents the access of every route as the route enforces it", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const owner = yield* business(server)
      const { document, operations } = yield* published(server)
      const signIn = Effect.map(login(server, owner), (answer) => String(record(answer)["access_token"]))
      let token = yield* signIn
      for (const { method, name, path, responses, schemes } of operations) {
        // The body or a token names the session to end: each is optional, but not both.
        if (name.endsWith("/auth/logout")) continue
        const ask = (credential?: string) =>
          server.sendTo(method, path, { credential, ...(method === "GET" ? {} : { body: {} }) })
        // One of the routes of accounts ends the session.
        if (/\/(?:auth|me)\b/u.test(path)) token = yield* signIn
        const [nobody, byKey, byToken] = [yield* ask(), yield* ask(owner.key), yield* ask(token)]
        const refuses = (status: number) => status === 401 || status === 403
        const isForDrivers = schemes.some((scheme) => scheme.startsWith("driver_"))
        const isForSuperAdmins = schemes.includes("super_admin_token")
        assert.deepStrictEqual(
          { nobody: nobody.status === 401, key: refuses(byKey.status), token: refuses(byToken.status) },
          {
            nobody: schemes.length > 0,
            key: schemes.includes("user_token") || isForDrivers || isForSuperAdmins,
            // Its owner drives for no business, and is no super-admin.
            token: isForDrivers || isForSuperAdmins
          },
          name
        )
        for (const scheme of schemes)
          assert.match(
            JSON.stringify(document.components.securitySchemes[scheme]),
            scheme === "driver_token" ? /"in":"query"/u : /"scheme":"bearer"/iu
          )
        // The document lists each actual response.
        for (const { status } of [nobody, byKey, byToken])
          assert.include(Object.keys(responses), String(status), name)
      }
      assert.deepStrictEqual(Object.keys(document.components.securitySchemes).sort(), [
        "business_credential",
        "driver_account",
        "driver_token",
        "super_admin_token",
        "user_token"
      ])
    })
  )

  it.effect("documents the headers of a route, and every response that it can give", () =>
    Effect.gen(function* () {
      const { operations } = yield* published(yield* openServer())
      const takes = (header: string) =>
        operations
          .filter(({ parameters }) => parameters.some(({ name }) => name === header))
          .map(({ name }) => name)
      const ofBusiness = takes("X-Business-Id")
      for (const route of ["GET /api/v1/ping", "GET /api/v1/me/api-keys", "POST /api/v1/trips"])
        assert.include(ofBusiness, route)
      for (const route of ["GET /api/v1/me", "POST /api/v1/me/businesses", "POST /api/v1/auth/login"])
        assert.notInclude(ofBusiness, route)
      assert.include(takes("if-match"), "PATCH /api/v1/me")
      for (const { method, name, responses } of operations.filter(({ path }) => path.startsWith("/api/"))) {
        assert.property(responses, "500", name)
        if (method === "GET") assert.notProperty(responses, "409", name)
      }
    })
  )

  it.effect("documents 413 for routes with a body, and those that read JSON respond with it", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const owner = yield* superAdmin(server)
      const { document, operations } = yield* published(server)
      const asked = operations.filter(({ path }) => path.startsWith("/api/"))
      for (const { name, requestBody, responses } of asked)
        assert.strictEqual("413" in responses, requestBody !== undefined, name)
      const large = { credential: owner.token, text: `"${"x".repeat(1024 * 1024)}"` }
      for (const { method, path, requestBody, schemes } of asked) {
        const isForDrivers = schemes.some((scheme) => scheme.startsWith("driver_"))
        if (requestBody?.content["application/json"] === undefined || isForDrivers) continue
        refusedAs(yield* server.sendTo(method, path, large), 413, "invalid_request")
      }
      assert.property(document.components.schemas, "BodyTooLargeError")
    })
  )

  it.effect("documents 409 for routes that declare it or accept an Idempotency-Key, and for no others", () =>
    Effect.gen(function* () {
      const { operations } = yield* published(yield* openServer())
      const expected = new Map<string, boolean>()
      HttpApi.reflect(Api, {
        onGroup: () => undefined,
        onEndpoint: ({ endpoint }) => {
          const path = endpoint.path.replace(/(?<=.)\/$/u, "").replaceAll(/:(\w+)/gu, "{$1}")
          const says = [...endpoint.error].some(
            ({ ast }) => ast.context?.annotations?.["httpApiStatus"] === 409
          )
          const name = `${endpoint.method} ${path}`
          expected.set(
            name,
            says ||
              (endpoint.method === "POST" &&
                !/(?:auth\/(?:refresh|idp\/begin|idp\/finish|demonstration)|payments\/stripe|text-callbacks\/\{token\})$/u.test(
                  name
                ))
          )
        }
      })
      for (const { name, path, responses } of operations)
        if (path.startsWith("/api/")) assert.strictEqual("409" in responses, expected.get(name), name)
    })
  )

  it.effect("forbids no additional field, and requires no body of a logout", () =>
    Effect.gen(function* () {
      const { operations } = yield* published(yield* openServer())
      for (const { name, requestBody } of operations)
        assert.notInclude(JSON.stringify(requestBody ?? {}), '"additionalProperties":false', name)
      const logout = operations.find(({ name }) => name === "POST /api/v1/auth/logout")
      assert.isFalse(logout?.requestBody?.required)
      assert.deepStrictEqual(logout?.security, [{}, { user_token: [] }])
    })
  )
})
