/**
 * The token with which a caller confirms a change after its preview. It is an HMAC of the call, keyed with the caller's
 * credential: every node can check it without stored state, and it confirms no other call and no other caller's.
 */
import { equalInConstantTime } from "@livery/domain"
import { createHmac } from "node:crypto"

/** How long a preview can be confirmed. */
const lifetimeSeconds = 600

/** A call of a tool, by whom and for which business. */
interface PreviewedCall {
  readonly credential: string
  readonly business: string
  readonly tool: string
  readonly args: object
}

/** A value with the fields of each object in alphabetical order, so that equal calls have equal texts. */
const sorted = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([key, inner]) => [key, sorted(inner)])
  )
}

const signed = ({ args, business, credential, tool }: PreviewedCall, expires: number) =>
  createHmac("sha256", credential)
    .update(JSON.stringify([tool, business, expires, sorted(args)]))
    .digest("base64url")

/** The token of a call that was previewed at `now`, in Unix seconds. */
export const previewToken = (call: PreviewedCall, now: number): string => {
  const expires = now + lifetimeSeconds
  return `${expires}.${signed(call, expires)}`
}

/** Whether a token confirms this call at `now`, in Unix seconds. */
export const confirms = (token: string, call: PreviewedCall, now: number): boolean => {
  const [, expires = "", signature = ""] = /^(\d{1,12})\.([\w-]{43})$/u.exec(token) ?? []
  return Number(expires) > now && equalInConstantTime(signature, signed(call, Number(expires)))
}
