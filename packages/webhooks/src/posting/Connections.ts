/** The connections to receivers, by undici. This module is imported after the start, which undici would delay. */
import { Agent, Client, type Dispatcher, Pool } from "undici"
import type { Connections, Exchange, ReusedConnection } from "./Exchange.ts"
import { type ConnectorOptions, guardedConnector } from "./GuardedConnector.ts"

/** While this many connections are open, further ones are closed after use. */
const maxReusedConnections = 512

/** A client has one connection at a time. It tells an exchange whether its connection has carried a response before. */
class ReusableClient extends Client implements ReusedConnection {
  hasResponded = false

  constructor(origin: string | URL, options: Client.Options) {
    super(origin, options)
    this.on("connect", () => (this.hasResponded = false))
  }

  override dispatch(options: Dispatcher.DispatchOptions, exchange: Exchange): boolean {
    exchange.dispatchedTo(this)
    return super.dispatch(options, exchange)
  }
}

/** Opens connections by the {@link guardedConnector}. Idle ones are kept for a few seconds. */
export const makeConnections = (
  connectorOptions: ConnectorOptions
): Connections & { readonly destroy: () => Promise<void> } => {
  const options: Client.Options = {
    connect: guardedConnector(connectorOptions),
    allowH2: false,
    pipelining: 1,
    maxHeaderSize: 16 * 1024,
    keepAliveTimeout: 4_000,
    keepAliveMaxTimeout: 30_000,
    // An exchange limits its whole time instead.
    headersTimeout: 0,
    bodyTimeout: 0
  }
  let openCount = 0
  const agent = new Agent({
    factory: (origin) => new Pool(origin, { ...options, factory: () => new ReusableClient(origin, options) })
  })
    .on("connect", () => (openCount += 1))
    .on("disconnect", () => (openCount -= 1))
  return {
    dispatch: (request, exchange) => {
      agent.dispatch({ ...request, reset: openCount >= maxReusedConnections }, exchange)
    },
    dispatchOnNew: ({ origin, ...request }, exchange) => {
      const client = new Client(origin, options)
      client.dispatch({ ...request, reset: true }, exchange)
      void client.close()
    },
    destroy: () => agent.destroy()
  }
}
