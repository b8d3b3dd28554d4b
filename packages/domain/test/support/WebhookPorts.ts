/** Webhook endpoints and deliveries, on the ports in memory. */
import {
  AddressPolicy,
  Cryptography,
  DeliveryRepository,
  EndpointRepository,
  type Fault,
  SecretBox,
  WebhookDeliveries,
  Webhooks
} from "@livery/domain"
import { Memory, Store } from "@livery/memory"
import { Effect, Layer } from "effect"
import { addBusiness } from "./Businesses.ts"
import { observed } from "./Observed.ts"

/**
 * The use cases of webhooks, the calls that they make, and what is stored. Each call of cancelling returns the
 * next numbers of `failing` and `startable`, or has the next fault of `faults`.
 */
export const webhookPorts = Effect.gen(function* () {
  const store = Store.make()
  for (const id of [1, 2]) addBusiness(store, id)
  const { audit, AuditLogs, calls, observing, Transactions } = observed()
  const startable: Array<number> = []
  const failing: Array<number> = []
  const faults: Array<Fault | undefined> = []

  const Observed = Layer.mergeAll(
    Transactions,
    AuditLogs,
    Layer.effect(
      EndpointRepository,
      Effect.map(EndpointRepository, (endpoints) =>
        EndpointRepository.of({
          ...endpoints,
          lock: (...endpoint) => observing("lock", endpoints.lock(...endpoint)),
          update: (...endpoint) => observing("update", endpoints.update(...endpoint)),
          replaceSecret: (...endpoint) => observing("replaceSecret", endpoints.replaceSecret(...endpoint)),
          remove: (...endpoint) => observing("remove", endpoints.remove(...endpoint))
        })
      )
    ),
    Layer.effect(
      DeliveryRepository,
      Effect.map(DeliveryRepository, (deliveries) =>
        DeliveryRepository.of({
          ...deliveries,
          sendAgain: (...delivery) => observing("sendAgain", deliveries.sendAgain(...delivery)),
          sendSample: (...sample) => observing("sendSample", deliveries.sendSample(...sample)),
          cancel: () =>
            observing(
              "cancel",
              Effect.suspend(() => {
                const fault = faults.shift()
                return fault === undefined
                  ? Effect.succeed({ failed: failing.shift() ?? 0, startable: startable.shift() ?? 0 })
                  : Effect.die(fault)
              })
            )
        })
      )
    )
  ).pipe(Layer.provideMerge(Memory.layerOn(Layer.succeed(Store, store))))

  const context = yield* Layer.build(
    Layer.merge(Webhooks.layer, WebhookDeliveries.layer).pipe(
      Layer.provide(
        Layer.mergeAll(
          Observed,
          Cryptography.layerWebCrypto,
          Layer.succeed(AddressPolicy, AddressPolicy.of({ allows: (url) => url.startsWith("https://") })),
          Layer.mock(SecretBox)({ seal: (plain) => Effect.succeed(`sealed ${plain}`) })
        )
      )
    )
  )
  const webhooks = <A, E>(use: (it: Webhooks["Service"]) => Effect.Effect<A, E>) =>
    Effect.provide(Webhooks.use(use), context)
  const deliveries = <A, E>(use: (it: WebhookDeliveries["Service"]) => Effect.Effect<A, E>) =>
    Effect.provide(WebhookDeliveries.use(use), context)
  return {
    store,
    calls,
    audit,
    failing,
    faults,
    startable,
    webhooks,
    deliveries,
    endpoints: () => store.endpoints.where(),
    sent: () => store.deliveries.where()
  }
})
