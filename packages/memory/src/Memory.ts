/** All ports of the domain in memory, in one layer. */
import { Cryptography, RateCounters, WorkNotifier } from "@livery/domain"
import { Layer } from "effect"
import * as AuditLogMemory from "./audit/AuditLogMemory.ts"
import * as MailOutboxMemory from "./mail/MailOutboxMemory.ts"
import * as ReadinessMemory from "./store/ReadinessMemory.ts"
import { Store } from "./store/Store.ts"
import * as TransactionMemory from "./store/TransactionMemory.ts"

const Ports = Layer.mergeAll(
  TransactionMemory.layer,
  ReadinessMemory.layer,
  AuditLogMemory.layer,
  MailOutboxMemory.layer
)

/**
 * All ports that a database implements, on a store of the layer's own, which is lost with it; and the ports that need
 * neither a database nor another service: `Cryptography`, `RateCounters`, `WorkNotifier`. It also provides the `Store`.
 */
export const layer = Ports.pipe(
  Layer.provideMerge(
    Layer.mergeAll(Store.layer, Cryptography.layerWebCrypto, RateCounters.layerMemory, WorkNotifier.layer)
  )
)
