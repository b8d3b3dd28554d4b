/** Requests by undici. This module is imported after the start, which undici would delay. */
import type { OutgoingRequest, OutgoingResponse } from "@livery/domain"
import { Agent, request as send } from "undici"
import { type ConnectorOptions, guardedConnector } from "./GuardedConnector.ts"

/** Makes the function that sends a request over connections that the guard allows. */
export const makeRequest = ({
  maximumBytes,
  ...options
}: ConnectorOptions & { readonly maximumBytes: number }) => {
  const dispatcher = new Agent({ connect: guardedConnector(options), allowH2: false, pipelining: 1 })
  return async (
    { body, headers, method, url }: OutgoingRequest,
    signal: AbortSignal
  ): Promise<OutgoingResponse> => {
    const response = await send(url, { dispatcher, method, headers, body, signal })
    const chunks: Array<Uint8Array> = []
    let size = 0
    for await (const chunk of response.body) {
      chunks.push(chunk as Uint8Array)
      size += (chunk as Uint8Array).byteLength
      if (size > maximumBytes) break
    }
    return { status: response.statusCode, body: Buffer.concat(chunks).toString("utf8") }
  }
}
