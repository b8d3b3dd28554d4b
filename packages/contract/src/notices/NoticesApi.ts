/** Notices to passengers, bookers and drivers (docs/api/notices.md). */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import {
  CustomerId,
  DriverId,
  DriverMessageInput,
  NoticePreferences,
  NoticePreview,
  NoticePreviewInput,
  NoticeRecord,
  NoticeSettings,
  NoticeSettingsChanges,
  PushKeyRecord,
  StoredTextGatewayRecord,
  TextGateway,
  TextGatewayRecord,
  TextGatewayTest,
  TextGatewayTestResult,
  TripId
} from "@livery/domain/records"
import { BusinessAccess, inArea, SignedAccess, UserAccess } from "../http/Access.ts"
import { basePath, created, neverRepeated, paging, recordId, summary } from "../http/Contract.ts"
import { data, list } from "../http/Envelope.ts"
import { wireErrors } from "../http/ErrorMap.ts"
import { ifMatch, tagged } from "../http/SafeEdits.ts"
import { secretParameter } from "../http/Traits.ts"

const SettingsBody = tagged(data(NoticeSettings, "NoticeSettingsBody"))
const PreferencesBody = tagged(data(NoticePreferences, "NoticePreferencesBody"))

/**
 * The settings of notices and of the gateway for text messages, in the area `settings`; the preferences of a customer in the area
 * `customers`; the notices of a trip and the messages to drivers in the area `operations`.
 */
export const NoticesApi = HttpApiGroup.make("notices")
  .add(
    HttpApiEndpoint.get("read", "/settings/notices", { success: SettingsBody })
      .middleware(BusinessAccess)
      .annotateMerge(inArea("settings"))
      .annotateMerge(summary("Which notices are sent, by which channels, and in which words")),
    HttpApiEndpoint.patch("update", "/settings/notices", {
      headers: ifMatch,
      payload: NoticeSettingsChanges,
      success: SettingsBody,
      error: wireErrors.conflict
    })
      .middleware(BusinessAccess)
      .annotateMerge(inArea("settings"))
      .annotateMerge(
        summary(
          "Change the channels of some kinds, the times, or the templates, which are replaced as a whole"
        )
      ),
    HttpApiEndpoint.post("preview", "/settings/notices/preview", {
      payload: NoticePreviewInput,
      success: data(NoticePreview, "NoticePreviewBody"),
      error: wireErrors.notFound
    })
      .middleware(BusinessAccess)
      .annotateMerge(inArea("settings"))
      .annotateMerge(
        summary("A notice with the facts of a sample: of the given template, or of the stored or default one")
      ),
    HttpApiEndpoint.get("readGateway", "/settings/text-gateway", {
      success: data(Schema.NullOr(TextGatewayRecord), "TextGatewayBody")
    })
      .middleware(BusinessAccess)
      .annotateMerge(inArea("settings"))
      .annotateMerge(summary("The gateway for text messages, without its secrets; null if there is none")),
    HttpApiEndpoint.post("putGateway", "/settings/text-gateway", {
      payload: TextGateway,
      success: data(StoredTextGatewayRecord, "StoredTextGatewayBody").pipe(created)
    })
      .middleware(BusinessAccess)
      .annotateMerge(inArea("settings"))
      .annotateMerge(
        summary(
          "Set the gateway for text messages; `token` and `secret` stay as they are if they are left out. Only this response has the address for callbacks"
        )
      ),
    HttpApiEndpoint.post("testGateway", "/settings/text-gateway/test", {
      payload: TextGatewayTest,
      success: data(TextGatewayTestResult, "TextGatewayTestBody"),
      error: wireErrors.notFound
    })
      .middleware(BusinessAccess)
      .annotateMerge(inArea("settings"))
      .annotateMerge(summary("Send a text message now, and tell what the gateway responded")),
    HttpApiEndpoint.delete("removeGateway", "/settings/text-gateway", {
      success: data(Schema.Struct({ deleted: Schema.Boolean }), "TextGatewayDeletedBody")
    })
      .middleware(BusinessAccess)
      .annotateMerge(inArea("settings"))
      .annotateMerge(summary("Remove the gateway for text messages")),
    HttpApiEndpoint.get("readPreferences", "/customers/:id/notice-preferences", {
      params: { id: recordId(CustomerId) },
      success: PreferencesBody,
      error: wireErrors.notFound
    })
      .middleware(BusinessAccess)
      .annotateMerge(inArea("customers"))
      .annotateMerge(summary("Which notices a customer wants, and by which channels")),
    HttpApiEndpoint.patch("changePreferences", "/customers/:id/notice-preferences", {
      params: { id: recordId(CustomerId) },
      headers: ifMatch,
      payload: NoticePreferences,
      success: PreferencesBody,
      error: [wireErrors.notFound, wireErrors.conflict]
    })
      .middleware(BusinessAccess)
      .annotateMerge(inArea("customers"))
      .annotateMerge(summary("Set which notices a customer wants; null leaves it to the business")),
    HttpApiEndpoint.get("ofTrip", "/trips/:id/notices", {
      params: { id: recordId(TripId) },
      query: paging,
      success: list(NoticeRecord, "NoticeListBody"),
      error: wireErrors.notFound
    })
      .middleware(BusinessAccess)
      .annotateMerge(inArea("operations"))
      .annotateMerge(summary("What was told about a trip, with the outcome, the oldest first")),
    HttpApiEndpoint.post("message", "/drivers/:id/messages", {
      params: { id: recordId(DriverId) },
      payload: DriverMessageInput,
      success: data(NoticeRecord, "NoticeBody").pipe(created),
      error: wireErrors.notFound
    })
      .middleware(BusinessAccess)
      .annotateMerge(inArea("operations"))
      .annotateMerge(summary("Send a driver a message, by the channels of the kind `driver_message`")),
    HttpApiEndpoint.get("pushKey", "/me/push-key", { success: data(PushKeyRecord, "PushKeyBody") })
      .middleware(UserAccess)
      .annotateMerge(
        summary(
          "The key by which a browser subscribes to push messages; register it as a device of platform `web`"
        )
      )
  )
  .prefix(basePath)
  .annotateMerge(OpenApi.annotations({ title: "Notices" }))

/** The address to which a gateway sends receipts and replies. Its token is the gateway's credential. */
export const TextCallbacksApi = HttpApiGroup.make("textCallbacks")
  .add(
    HttpApiEndpoint.post("receive", "/:token", {
      params: { token: Schema.String },
      success: data(Schema.Struct({ received: Schema.Boolean }), "TextCallbackBody"),
      error: [wireErrors.notFound, wireErrors.unauthorized]
    })
      .annotateMerge(neverRepeated)
      .annotateMerge(
        summary(
          "A receipt or a reply (`STOP`, `START`) from a gateway for text messages: JSON or a form, signed as the gateway's settings say"
        )
      )
  )
  .middleware(SignedAccess)
  .prefix(`${basePath}/public/text-callbacks`)
  .annotateMerge(OpenApi.annotations({ title: "Callbacks of text messages" }))
  .annotateMerge(secretParameter("token"))
