/** The results of a request that makes many records, each in the forms of the envelope. */
import { Effect, Result } from "effect"
import {
  type BulkResult,
  CurrentRequest,
  faultStatus,
  formOfError,
  type RequestState
} from "@livery/contract"
import type { BulkResults } from "@livery/domain"

const made = 201

const refused = (error: { readonly message: string }, request: RequestState): BulkResult<never> => {
  const form = formOfError(error)
  if (form === undefined)
    return { status: faultStatus.status, error: { type: faultStatus.type, message: error.message } }
  // A refusal of one item does not say when the whole request may be repeated.
  const { error: body } = form.body(error, { ...request })
  return { status: form.status, error: body as Extract<BulkResult<never>, { error: unknown }>["error"] }
}

/** The result of each item. */
export const bulkResultsOf = <A, E extends { readonly message: string }, E2, R>(
  results: Effect.Effect<BulkResults<A, E>, E2, R>
): Effect.Effect<ReadonlyArray<BulkResult<A>>, E2, R> =>
  Effect.flatMap(results, (all) =>
    Effect.map(CurrentRequest, (request) =>
      all.map((result) =>
        Result.isSuccess(result) ? { status: made, data: result.success } : refused(result.failure, request)
      )
    )
  )
