/** The ports of the domain in memory, in one layer. */
import { Cryptography, RateCounters, Routing, WorkNotifier } from "@livery/domain"
import { Layer } from "effect"
import * as ports from "./Ports.ts"
import { Store } from "./store/Store.ts"

/** {@link layer} on a given store, for tests that prepare its rows. */
export const layerOn = (store: Layer.Layer<Store>) =>
  Layer.mergeAll(Layer.empty, ...Object.values(ports)).pipe(
    Layer.provideMerge(
      Layer.mergeAll(
        store,
        Cryptography.layerWebCrypto,
        RateCounters.layerMemory,
        Routing.layerGreatCircle,
        WorkNotifier.layer
      )
    )
  )

/**
 * All ports that a database implements, except those of `BusinessTransfer`, on a store of the layer's own, which is lost with
 * it; and the ports that need neither a database nor another service: `Cryptography`, `RateCounters`, `Routing`,
 * `WorkNotifier`. It also provides the `Store`.
 */
export const layer = layerOn(Store.layer)
