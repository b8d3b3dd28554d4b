/** The trigger: Livery posts its events to the address of the workflow, which checks their signatures. */
import { type EventType, verifyWebhook, WebhookRefused } from "@livery/client"
import { clientOf } from "./LiveryApi.credentials.ts"
import type { HookFunctions, Item, NodeDescription, WebhookFunctions } from "./N8n.ts"

const events: ReadonlyArray<EventType> = [
  "trip.created",
  "trip.updated",
  "trip.completed",
  "trip.cancelled",
  "driver.assigned",
  "quote.accepted",
  "invoice.created",
  "invoice.updated",
  "invoice.paid",
  "payment.succeeded",
  "payment.reversed",
  "payment.failed"
]

/** The header with the signature, in the letters that Node gives it. */
const signatureHeader = "x-service-signature"

export class LiveryTrigger {
  readonly description: NodeDescription = {
    displayName: "Livery Trigger",
    name: "liveryTrigger",
    icon: "fa:car",
    group: ["trigger"],
    version: 1,
    description: "Starts when something changes in Livery",
    defaults: { name: "Livery Trigger" },
    inputs: [],
    outputs: ["main"],
    credentials: [{ name: "liveryApi", required: true }],
    webhooks: [{ name: "default", httpMethod: "POST", responseMode: "onReceived", path: "webhook" }],
    properties: [
      {
        displayName: "Events",
        name: "events",
        type: "multiOptions",
        required: true,
        default: ["trip.created"],
        options: events.map((value) => ({ name: value, value }))
      }
    ]
  }

  readonly webhookMethods = {
    default: {
      /** Whether the endpoint that this workflow added still exists with its address. */
      async checkExists(this: HookFunctions): Promise<boolean> {
        const { endpointId } = this.getWorkflowStaticData("node")
        if (typeof endpointId !== "number") return false
        const client = clientOf(await this.getCredentials("liveryApi"))
        const url = this.getNodeWebhookUrl("default")
        for await (const endpoint of client.webhooks.list())
          if (endpoint.endpoint_id === endpointId) return endpoint.url === url
        return false
      },

      /** Adds an endpoint, and keeps its secret with the workflow. */
      async create(this: HookFunctions): Promise<boolean> {
        const client = clientOf(await this.getCredentials("liveryApi"))
        const { endpoint_id, secret } = await client.webhooks.create({
          url: this.getNodeWebhookUrl("default") ?? "",
          events: this.getNodeParameter("events") as ReadonlyArray<EventType>
        })
        Object.assign(this.getWorkflowStaticData("node"), { endpointId: endpoint_id, secret })
        return true
      },

      /** Removes the endpoint. One that is gone already counts as removed. */
      async delete(this: HookFunctions): Promise<boolean> {
        const kept = this.getWorkflowStaticData("node")
        if (typeof kept["endpointId"] === "number") {
          const client = clientOf(await this.getCredentials("liveryApi"))
          try {
            await client.webhooks.remove({ id: kept["endpointId"] })
          } catch (error) {
            if ((error as { readonly status?: unknown }).status !== 404) return false
          }
        }
        delete kept["endpointId"]
        delete kept["secret"]
        return true
      }
    }
  }

  /** Passes on an event whose signature is right and recent. Anything else gets 401 and starts no workflow. */
  async webhook(this: WebhookFunctions): Promise<{
    readonly workflowData?: ReadonlyArray<ReadonlyArray<Item>>
    readonly noWebhookResponse?: true
  }> {
    const request = this.getRequestObject()
    if (request.rawBody === undefined) await request.readRawBody?.()
    const header = this.getHeaderData()[signatureHeader]
    const secret = this.getWorkflowStaticData("node")["secret"]
    try {
      const event = await verifyWebhook(
        typeof header === "string" ? header : undefined,
        request.rawBody ?? "",
        typeof secret === "string" ? secret : ""
      )
      return { workflowData: [[{ json: { ...event } }]] }
    } catch (error) {
      // Without a secret the workflow is not switched on, so nothing can be checked.
      if (!(error instanceof WebhookRefused) && !(error instanceof RangeError)) throw error
      this.getResponseObject().status(401).end(error.message)
      return { noWebhookResponse: true }
    }
  }
}
