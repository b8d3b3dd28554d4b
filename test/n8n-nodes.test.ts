import { createHmac } from "node:crypto"
import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { Livery } from "../connectors/n8n/src/Livery.node.ts"
import { LiveryTrigger } from "../connectors/n8n/src/LiveryTrigger.node.ts"

interface Received {
  readonly method: string
  readonly path: string
  readonly authorization: string | undefined
  readonly body: unknown
}

describe("the nodes for n8n", () => {
  let server: Server
  const received: Array<Received> = []
  let answer: { status: number; body: unknown } = { status: 200, body: {} }
  const credentials = () => ({
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    apiKey: "lvk_key"
  })

  beforeAll(async () => {
    server = createServer((request, response) => {
      const chunks: Array<Buffer> = []
      request
        .on("data", (chunk: Buffer) => chunks.push(chunk))
        .on("end", () => {
          const text = Buffer.concat(chunks).toString()
          received.push({
            method: request.method ?? "",
            path: request.url ?? "",
            authorization: request.headers.authorization,
            body: text === "" ? undefined : (JSON.parse(text) as unknown)
          })
          response.writeHead(answer.status, { "content-type": "application/json" })
          response.end(JSON.stringify(answer.body))
        })
    })
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  })
  afterAll(() => server.close())

  const run = (operation: string, inputs: ReadonlyArray<unknown>, continueOnFail = false) =>
    new Livery().execute.call({
      getCredentials: () => Promise.resolve(credentials()),
      getInputData: () => inputs.map(() => ({ json: {} })),
      getNodeParameter: (name, item) => (name === "operation" ? operation : inputs[item]),
      continueOnFail: () => continueOnFail
    })

  it("call the operation for each item with the key of the credentials", async () => {
    received.length = 0
    answer = { status: 200, body: { data: { trip_id: 7 }, meta: { request_id: "r" } } }
    const [items] = await run("trips.update", ['{"id":7,"notes":"Door"}', { id: 7, notes: "Gate" }])
    assert.deepStrictEqual(items, [
      { json: { trip_id: 7 }, pairedItem: { item: 0 } },
      { json: { trip_id: 7 }, pairedItem: { item: 1 } }
    ])
    assert.deepStrictEqual(
      received.map(({ authorization, body, method, path }) => [authorization, method, path, body]),
      [
        ["Bearer lvk_key", "PATCH", "/api/v1/trips/7", { notes: "Door" }],
        ["Bearer lvk_key", "PATCH", "/api/v1/trips/7", { notes: "Gate" }]
      ]
    )
  })

  it("pass on a refusal as an item if the node continues on failures, and fail otherwise", async () => {
    answer = {
      status: 404,
      body: { error: { type: "not_found", message: "No such trip", details: [] }, meta: { request_id: "r" } }
    }
    const [items] = await run("trips.read", [{ id: 1 }], true)
    assert.match(String(items?.[0]?.json["error"]), /No such trip/u)
    const failed = await run("trips.read", [{ id: 1 }]).catch((error: unknown) => error)
    assert.instanceOf(failed, Error)
    const unknown = await run("admin.remove", [{}]).catch((error: unknown) => String(error))
    assert.match(unknown as string, /no operation admin\.remove/u)
  })

  it("offer only operations that the client has", async () => {
    const [operation] = new Livery().description.properties
    assert.isAbove(operation?.options?.length ?? 0, 10)
    for (const { value } of operation?.options ?? []) {
      const [items] = await run(value, [{ id: 1 }], true)
      assert.match(String(items?.[0]?.json["error"]), /No such trip/u, value)
    }
  })

  it("add an endpoint when the trigger is switched on, and remove it when it is switched off", async () => {
    received.length = 0
    const kept: Record<string, unknown> = {}
    const hook = {
      getCredentials: () => Promise.resolve(credentials()),
      getNodeWebhookUrl: () => "https://n8n.example/webhook/1",
      getNodeParameter: () => ["trip.created"],
      getWorkflowStaticData: () => kept
    }
    const { default: methods } = new LiveryTrigger().webhookMethods
    assert.isFalse(await methods.checkExists.call(hook))
    answer = { status: 201, body: { data: { endpoint_id: 3, secret: "whsec_1" }, meta: { request_id: "r" } } }
    assert.isTrue(await methods.create.call(hook))
    assert.deepStrictEqual(kept, { endpointId: 3, secret: "whsec_1" })
    answer = { status: 200, body: { data: { deleted: true }, meta: { request_id: "r" } } }
    assert.isTrue(await methods.delete.call(hook))
    assert.deepStrictEqual(kept, {})
    assert.deepStrictEqual(
      received.map(({ method }) => method),
      ["POST", "DELETE"]
    )
  })

  it("start a workflow only for an event with the right signature", async () => {
    const body = JSON.stringify({ id: "evt_1", type: "trip.created", created: 1, data: {}, meta: {} })
    const time = Math.floor(Date.now() / 1000)
    const sign = (secret: string) =>
      `t=${time},v1=${createHmac("sha256", secret).update(`${time}.${body}`).digest("hex")}`
    const post = async (header: string | undefined, secret: string | undefined) => {
      let status = 200
      const result = await new LiveryTrigger().webhook.call({
        getCredentials: () => Promise.resolve({}),
        getHeaderData: () => ({ "x-service-signature": header }),
        getRequestObject: () => ({ rawBody: Buffer.from(body) }),
        getResponseObject: () => ({
          status: (code) => {
            status = code
            return { end: () => undefined }
          }
        }),
        getWorkflowStaticData: () => ({ secret })
      })
      return { status, type: result.workflowData?.[0]?.[0]?.json["type"] }
    }
    assert.deepStrictEqual(await post(sign("whsec_1"), "whsec_1"), { status: 200, type: "trip.created" })
    for (const [header, secret] of [
      [sign("whsec_2"), "whsec_1"],
      [undefined, "whsec_1"],
      [sign(""), undefined]
    ] as const)
      assert.deepStrictEqual(await post(header, secret), { status: 401, type: undefined })
  })
})
