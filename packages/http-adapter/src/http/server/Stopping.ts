/** The state of a process that is about to stop while load balancers still send it requests. */
import { Context } from "effect"

/**
 * Whether this process is about to stop. If so, `GET /health/ready` is 503 and every response closes its connection, so
 * that clients and load balancers move to another node while this one still serves.
 */
export interface StopState {
  isStopping: boolean
}

/** The {@link StopState} of this process. */
export const Stopping = Context.Reference<StopState>("@livery/http-adapter/Stopping", {
  defaultValue: () => ({ isStopping: false })
})
