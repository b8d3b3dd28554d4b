/** Every use case in one layer, for whoever serves all of them. */
import { Layer } from "effect"
import { Businesses } from "./business/Businesses.ts"
import { Founding } from "./business/Founding.ts"
import { Accounts } from "./identity/Accounts.ts"
import { ApiKeys } from "./identity/ApiKeys.ts"
import { Authentication } from "./identity/Authentication.ts"
import { Devices } from "./identity/Device.ts"
import { Passwords } from "./identity/Passwords.ts"
import { ProviderSignIn } from "./identity/ProviderSignIn.ts"
import { Registration } from "./identity/Registration.ts"
import { Sessions } from "./identity/Sessions.ts"
import { StandingCredentials } from "./identity/StandingCredentials.ts"
import { SafeRetries } from "./kernel/SafeRetries.ts"
import { Administration } from "./platform/Administration.ts"
import { Demonstration } from "./platform/Demonstration.ts"
import { Trips } from "./trips/Trips.ts"
import { EventFeed } from "./webhooks/EventFeed.ts"
import { WebhookDeliveries } from "./webhooks/WebhookDeliveries.ts"
import { Webhooks } from "./webhooks/Webhooks.ts"

/** All of the domain's use cases; needs an answer to every port that one of them asks for. */
export const UseCases = Demonstration.layer.pipe(
  Layer.provideMerge(
    Layer.mergeAll(
      Registration.layer,
      SafeRetries.layer,
      Sessions.layer,
      ProviderSignIn.layer,
      Founding.layer,
      Passwords.layer,
      Accounts.layer,
      ApiKeys.layer,
      Devices.layer,
      Trips.layer,
      Webhooks.layer,
      WebhookDeliveries.layer,
      EventFeed.layer,
      Administration.layer
    )
  ),
  Layer.provideMerge(Layer.merge(Businesses.layer, Authentication.layer)),
  Layer.provideMerge(StandingCredentials.layer)
)
