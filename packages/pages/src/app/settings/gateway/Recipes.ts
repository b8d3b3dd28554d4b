/** The templates of five gateways for text messages, as docs/api/text-messages.md has them. */

/** How a gateway signs its callbacks. */
export interface SignatureTemplate {
  readonly header: string
  readonly algorithm: "sha1" | "sha256"
  readonly encoding: "hex" | "base64"
  readonly signed: string
  readonly timestamp_header?: string | null
  readonly tolerance_seconds?: number | null
  readonly nonce_header?: string | null
}

/** A gateway without what belongs to one account. */
export interface GatewayTemplate {
  readonly url: string
  readonly method: "POST" | "PUT" | "GET"
  readonly headers: ReadonlyArray<{ readonly name: string; readonly value: string | null }>
  readonly body: string | null
  readonly body_type: "json" | "form" | "text"
  readonly success: { readonly path: string | null; readonly values: ReadonlyArray<string> }
  readonly reference_path: string | null
  readonly callbacks: {
    readonly reference_path: string | null
    readonly status_path: string | null
    readonly delivered: ReadonlyArray<string>
    readonly failed: ReadonlyArray<string>
    readonly from_path: string | null
    readonly text_path: string | null
    readonly signature?: SignatureTemplate | null
  } | null
}

/** A gateway, with the words that it has for its account and its secret; without `account`, it needs none. */
export interface Recipe {
  readonly name: string
  readonly account?: string
  readonly token: string
  readonly template: GatewayTemplate
}

const json = (fields: Readonly<Record<string, unknown>>) => JSON.stringify(fields)

/** A gateway of another make: a request that its documentation describes. */
export const ownTemplate: GatewayTemplate = {
  url: "https://",
  method: "POST",
  headers: [{ name: "Authorization", value: "Bearer {{token}}" }],
  body: json({ to: "{{to}}", from: "{{sender}}", text: "{{text}}" }),
  body_type: "json",
  success: { path: null, values: [] },
  reference_path: null,
  callbacks: null
}

export const recipes: ReadonlyArray<Recipe> = [
  {
    name: "Twilio",
    account: "Account SID",
    token: "Auth token",
    template: {
      url: "https://api.twilio.com/2010-04-01/Accounts/{{account}}/Messages.json",
      method: "POST",
      headers: [{ name: "Authorization", value: "Basic {{basic}}" }],
      body: "To={{to}}&From={{sender}}&Body={{text}}&StatusCallback={{callback_url}}",
      body_type: "form",
      success: { path: "sid", values: [] },
      reference_path: "sid",
      callbacks: {
        reference_path: "MessageSid",
        status_path: "MessageStatus",
        delivered: ["delivered"],
        failed: ["undelivered", "failed"],
        from_path: "From",
        text_path: "Body",
        signature: {
          header: "X-Twilio-Signature",
          algorithm: "sha1",
          encoding: "base64",
          signed: "{{url}}{{form}}"
        }
      }
    }
  },
  {
    name: "Vonage",
    account: "API key",
    token: "API secret",
    template: {
      url: "https://rest.nexmo.com/sms/json",
      method: "POST",
      headers: [],
      body: json({
        api_key: "{{account}}",
        api_secret: "{{token}}",
        to: "{{to_digits}}",
        from: "{{sender}}",
        text: "{{text}}",
        type: "unicode",
        callback: "{{callback_url}}"
      }),
      body_type: "json",
      success: { path: "messages.0.status", values: ["0"] },
      reference_path: "messages.0.message-id",
      callbacks: {
        reference_path: "messageId",
        status_path: "status",
        delivered: ["delivered"],
        failed: ["expired", "failed", "rejected", "unknown"],
        from_path: "msisdn",
        text_path: "text"
      }
    }
  },
  {
    name: "MessageBird",
    token: "Access key",
    template: {
      url: "https://rest.messagebird.com/messages",
      method: "POST",
      headers: [{ name: "Authorization", value: "AccessKey {{token}}" }],
      body: json({
        recipients: ["{{to_digits}}"],
        originator: "{{sender}}",
        body: "{{text}}",
        datacoding: "auto",
        reference: "{{id}}",
        reportUrl: "{{callback_url}}"
      }),
      body_type: "json",
      success: { path: "id", values: [] },
      reference_path: "id",
      callbacks: {
        reference_path: "id",
        status_path: "status",
        delivered: ["delivered"],
        failed: ["delivery_failed", "expired"],
        from_path: "originator",
        text_path: "payload"
      }
    }
  },
  {
    name: "Plivo",
    account: "Auth ID",
    token: "Auth token",
    template: {
      url: "https://api.plivo.com/v1/Account/{{account}}/Message/",
      method: "POST",
      headers: [{ name: "Authorization", value: "Basic {{basic}}" }],
      body: json({ src: "{{sender}}", dst: "{{to_digits}}", text: "{{text}}", url: "{{callback_url}}" }),
      body_type: "json",
      success: { path: "message_uuid.0", values: [] },
      reference_path: "message_uuid.0",
      callbacks: {
        reference_path: "MessageUUID",
        status_path: "Status",
        delivered: ["delivered"],
        failed: ["failed", "undelivered", "rejected"],
        from_path: "From",
        text_path: "Text",
        signature: {
          header: "X-Plivo-Signature-V2",
          algorithm: "sha256",
          encoding: "base64",
          signed: "{{url}}{{nonce}}",
          nonce_header: "X-Plivo-Signature-V2-Nonce"
        }
      }
    }
  },
  {
    name: "Sinch",
    account: "Service plan ID",
    token: "API token",
    template: {
      url: "https://eu.sms.api.sinch.com/xms/v1/{{account}}/batches",
      method: "POST",
      headers: [{ name: "Authorization", value: "Bearer {{token}}" }],
      body: json({
        to: ["{{to_digits}}"],
        from: "{{sender}}",
        body: "{{text}}",
        delivery_report: "per_recipient",
        callback_url: "{{callback_url}}"
      }),
      body_type: "json",
      success: { path: "id", values: [] },
      reference_path: "id",
      callbacks: {
        reference_path: "batch_id",
        status_path: "status",
        delivered: ["Delivered"],
        failed: ["Failed", "Rejected", "Aborted", "Expired", "Cancelled"],
        from_path: "from",
        text_path: "body"
      }
    }
  }
]

/** The recipe of a gateway, by the server of its address. */
export const recipeOf = (url: string): Recipe | undefined =>
  recipes.find(({ template }) => new URL(template.url).host === URL.parse(url)?.host)
