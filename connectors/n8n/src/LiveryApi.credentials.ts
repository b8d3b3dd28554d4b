/** The address of a Livery installation, and an API key of a business. */
import { livery } from "@livery/client"
import type { Json, Property } from "./N8n.ts"

export class LiveryApi {
  readonly name = "liveryApi"
  readonly displayName = "Livery API"
  readonly properties: ReadonlyArray<Property> = [
    {
      displayName: "Address",
      name: "baseUrl",
      type: "string",
      default: "",
      placeholder: "https://livery.example.com",
      required: true
    },
    {
      displayName: "API Key",
      name: "apiKey",
      type: "string",
      typeOptions: { password: true },
      default: "",
      placeholder: "lvk_…",
      description: "An API key of the business, from the settings of the office",
      required: true
    }
  ]
  readonly authenticate = {
    type: "generic",
    properties: { headers: { Authorization: "=Bearer {{$credentials.apiKey}}" } }
  }
  readonly test = { request: { baseURL: "={{$credentials.baseUrl}}", url: "/api/v1/ping" } }
}

/** The client for credentials. */
export const clientOf = ({ apiKey, baseUrl }: Json) =>
  livery({ baseUrl: `${String(baseUrl).replace(/\/+$/u, "")}/api/v1`, apiKey: String(apiKey) })
