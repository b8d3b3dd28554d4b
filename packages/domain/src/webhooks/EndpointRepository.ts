/** The port that stores webhook endpoints. */
import { Context, type Effect, type Option } from "effect"
import type { Conflict } from "../kernel/Errors.ts"
import type { BusinessId, EndpointId } from "../kernel/Ids.ts"
import type { Page, PageRequest } from "../kernel/Page.ts"
import type { Endpoint } from "./Endpoint.ts"
import type { EventType } from "../events/EventType.ts"

/**
 * No method returns a deleted endpoint, though its deliveries are kept.
 *
 * - `insert`: a new enabled endpoint with its sealed secret; `tooManyEndpoints` if the business has
 *   `maxEndpointsPerBusiness` already, also under concurrent inserts.
 * - `list`: the business's endpoints, the oldest first.
 * - `find`: the business's endpoint with that id; `None` if absent or another business's.
 * - `lock`: the same, locked against changes until the transaction ends.
 * - `update`: writes the URL, events and status.
 * - `replaceSecret`: stores a new secret; the old one still signs for `retiredSecretHours`. `None`, and no change, if
 *   `maxRetiredSecrets` replaced ones still sign.
 * - `remove`: disables an endpoint, hides it for good, and erases its secrets.
 */
export class EndpointRepository extends Context.Service<
  EndpointRepository,
  {
    readonly insert: (
      businessId: BusinessId,
      endpoint: {
        readonly url: string
        readonly events: ReadonlyArray<EventType>
        readonly sealedSecret: string
      }
    ) => Effect.Effect<Endpoint, Conflict>
    readonly list: (businessId: BusinessId, page: PageRequest) => Effect.Effect<Page<Endpoint>>
    readonly find: (businessId: BusinessId, endpointId: EndpointId) => Effect.Effect<Option.Option<Endpoint>>
    readonly lock: (businessId: BusinessId, endpointId: EndpointId) => Effect.Effect<Option.Option<Endpoint>>
    readonly update: (
      businessId: BusinessId,
      endpointId: EndpointId,
      settings: Pick<Endpoint, "url" | "events" | "status">
    ) => Effect.Effect<Endpoint>
    readonly replaceSecret: (
      businessId: BusinessId,
      endpointId: EndpointId,
      sealedSecret: string
    ) => Effect.Effect<Option.Option<Endpoint>>
    readonly remove: (businessId: BusinessId, endpointId: EndpointId) => Effect.Effect<void>
  }
>()("@livery/domain/EndpointRepository") {}
