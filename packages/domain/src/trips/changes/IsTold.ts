/** Whether changes of trips are told. */
import { Context } from "effect"

/** Whether the changes of trips are told; false while trips that are over are taken over from another program. */
export const IsTold = Context.Reference<boolean>("@livery/domain/IsTold", { defaultValue: () => true })
