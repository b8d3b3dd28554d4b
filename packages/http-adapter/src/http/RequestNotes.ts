/** What is learned of a request on its way, for the one line that is logged of it. */
import { Context, Effect } from "effect"

/** Filled in as it becomes known; never holds a credential. */
export interface Notes {
  business_id?: number
  user_id?: number
}

export const RequestNotes = Context.Reference<Notes>("@livery/http-adapter/RequestNotes", {
  defaultValue: () => ({})
})

/** Adds to the notes of the request at hand. */
export const note = (notes: Notes) => Effect.map(RequestNotes, (known) => void Object.assign(known, notes))
