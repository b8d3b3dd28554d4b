/** Faults that a test injects into the next requests of an operation. */
import type { OperationName } from "./Operations.ts"

/**
 * - `error_500`, `rate_limited`: the request has no effect, and the answer is 500 or 429.
 * - `key_in_use`: the request has no effect, and the answer is 409: another request of its key is under way.
 * - `error_500_after`: the request takes effect, the answer is 500, and that answer is saved under its key.
 * - `error_500_kept`: the request has no effect, the answer is 500, and that answer is saved under its key.
 * - `refusal`: the request has no effect, and the answer is 400.
 * - `no_answer`: the request has no effect, and no answer comes.
 * - `no_answer_after`: the request takes effect, and no answer comes.
 * - `lost_response`: the request takes effect, and the connection is cut before the answer.
 * - `duplicate`: the request arrives twice, and the second answer is sent.
 * - `bare_404`: another server than Stripe, such as a proxy, answers 404 with JSON that has no `error`.
 * - `not_json`: another server than Stripe, such as a proxy, answers 502 with HTML.
 * - `no_content`: a proxy answers 204, without a body.
 * - `redirect`: another server than Stripe, such as a proxy, redirects to the same path.
 * - `endless`: the answer never ends.
 */
export type FaultKind =
  | "error_500"
  | "rate_limited"
  | "key_in_use"
  | "error_500_after"
  | "error_500_kept"
  | "refusal"
  | "no_answer"
  | "no_answer_after"
  | "lost_response"
  | "duplicate"
  | "bare_404"
  | "not_json"
  | "no_content"
  | "redirect"
  | "endless"

/** A fault of the next `times` requests of an operation; 1 if absent. */
export interface Fault {
  readonly operation: OperationName
  readonly kind: FaultKind
  readonly times?: number
}

/** The injected faults. Requests of an operation get them in the order in which they were added. */
export const makeFaults = () => {
  const injected: Array<{ readonly fault: Fault; left: number }> = []
  return {
    add: (fault: Fault): void => {
      injected.push({ fault, left: fault.times ?? 1 })
    },
    /** The fault for a request that has just arrived. It is then left for one request less. */
    take: (operation: OperationName): FaultKind | undefined => {
      const next = injected.find(({ fault, left }) => left > 0 && fault.operation === operation)
      if (next === undefined) return undefined
      next.left -= 1
      return next.fault.kind
    },
    clear: (): void => {
      injected.length = 0
    }
  }
}
