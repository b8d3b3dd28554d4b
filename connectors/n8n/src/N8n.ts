/**
 * The parts of n8n's interfaces that these nodes use. They are declared here, so that the package needs neither `n8n-workflow` nor
 * what that brings along; n8n looks at the shape of a node alone.
 */

/** A value that is read as JSON. */
export type Json = Readonly<Record<string, unknown>>

/** An item that nodes pass on. */
export interface Item {
  readonly json: Json
  readonly pairedItem?: { readonly item: number }
}

/** A field of a node or of credentials, as n8n shows it. */
export interface Property {
  readonly displayName: string
  readonly name: string
  readonly type: "string" | "options" | "multiOptions" | "json" | "number"
  readonly default: unknown
  readonly description?: string
  readonly required?: boolean
  readonly noDataExpression?: boolean
  readonly placeholder?: string
  readonly typeOptions?: { readonly password?: boolean }
  readonly options?: ReadonlyArray<{
    readonly name: string
    readonly value: string
    readonly action?: string
    readonly description?: string
  }>
  readonly displayOptions?: { readonly show: Readonly<Record<string, ReadonlyArray<string>>> }
}

/** What n8n shows of a node. */
export interface NodeDescription {
  readonly displayName: string
  readonly name: string
  readonly icon: string
  readonly group: ReadonlyArray<string>
  readonly version: number
  readonly subtitle?: string
  readonly description: string
  readonly defaults: { readonly name: string }
  readonly inputs: ReadonlyArray<string>
  readonly outputs: ReadonlyArray<string>
  readonly credentials: ReadonlyArray<{ readonly name: string; readonly required: boolean }>
  readonly webhooks?: ReadonlyArray<{
    readonly name: string
    readonly httpMethod: string
    readonly responseMode: string
    readonly path: string
  }>
  readonly properties: ReadonlyArray<Property>
}

/** What both kinds of nodes get. */
interface Functions {
  getCredentials(name: string): Promise<Json>
}

/** What a node gets while it runs. */
export interface ExecuteFunctions extends Functions {
  getInputData(): ReadonlyArray<Item>
  getNodeParameter(name: string, item: number, fallback?: unknown): unknown
  continueOnFail(): boolean
}

/** What a trigger gets when it is switched on or off. */
export interface HookFunctions extends Functions {
  getNodeWebhookUrl(name: string): string | undefined
  getNodeParameter(name: string): unknown
  getWorkflowStaticData(of: "node"): Record<string, unknown>
}

/** What a trigger gets when its address is called. */
export interface WebhookFunctions extends Functions {
  getHeaderData(): Readonly<Record<string, string | ReadonlyArray<string> | undefined>>
  getRequestObject(): { readonly rawBody?: Uint8Array; readRawBody?(): Promise<void> }
  getResponseObject(): { status(code: number): { end(text: string): void } }
  getWorkflowStaticData(of: "node"): Record<string, unknown>
}
