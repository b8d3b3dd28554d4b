/** The views that a user saved: the filters of a screen, by a name (docs/api/accounts.md). */
import { Schema } from "effect"
import * as Field from "../../kernel/fields/Field.ts"
import * as Value from "../../kernel/fields/Value.ts"
import { SavedViewId } from "../../kernel/Ids.ts"

/** The most views of a user. */
export const maxViewsPerUser = 100

/**
 * The fields of a view. `screen` names the screen that it is of, and `query` is what the screen's address has after the
 * question mark. `shared` is false: only its user has the view.
 */
const viewFields = {
  view_id: Field.assigned(Value.id(SavedViewId)),
  name: Field.says({ person: "user" }, Field.required(Value.text(100))),
  screen: Field.says({ person: "nobody" }, Field.required(Value.text(50))),
  query: Field.says({ person: "user" }, Field.required(Value.text(2000))),
  shared: Field.computed(Schema.Boolean),
  created_at: Field.assigned(Value.instant),
  updated_at: Field.assigned(Value.instant)
}

/** The body that saves a view. */
export const SavedViewInput = Field.inputOf(viewFields)
export type SavedViewInput = typeof SavedViewInput.Type

/** The body that changes a view: at least one field. */
export const SavedViewChanges = Field.changesOf(viewFields)
export type SavedViewChanges = typeof SavedViewChanges.Type

/** A view as stored. */
export const SavedView = Field.storedOf(viewFields)
export type SavedView = typeof SavedView.Type

/** A view in a response. */
export const SavedViewRecord = Field.recordOf(viewFields)
export type SavedViewRecord = typeof SavedViewRecord.Type

const encode = Field.encoderOf<typeof viewFields, undefined>(viewFields, { shared: () => false })

/** The record of a view. */
export const savedViewRecord = (view: SavedView): SavedViewRecord => encode(view, undefined)
