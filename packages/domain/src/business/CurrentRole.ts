/** The role of the current caller, and the records that a caller gets whose role may only read (docs/api/staff.md). */
import { Context, Effect } from "effect"
import { type Area, type CallerRole, mayDo } from "./Role.ts"

/**
 * The role that decides the rights of a use case. An adapter provides the role of a member. By default, a program that
 * embeds the domain has the rights of an API key.
 */
export const CurrentRole = Context.Reference<CallerRole>("@livery/domain/CurrentRole", {
  defaultValue: () => "api_key"
})

/** A record with the statuses to which its reader may change it. */
export interface Changeable {
  readonly allowed_transitions: ReadonlyArray<string>
}

const withoutTransitions = <A extends Changeable>(record: A): A => ({ ...record, allowed_transitions: [] })

const mayChange = (area: Area) => Effect.map(CurrentRole, (role) => mayDo(role, { area, action: "write" }))

/** A record of an area for the current caller. `allowed_transitions` is empty if the caller may not change such records. */
export const forReader = <A extends Changeable>(area: Area, record: A): Effect.Effect<A> =>
  Effect.map(mayChange(area), (isAllowed) => (isAllowed ? record : withoutTransitions(record)))

/** A page of records as {@link forReader} returns each. */
export const pageForReader = <A extends Changeable, P extends { readonly items: ReadonlyArray<A> }>(
  area: Area,
  page: P & { readonly items: ReadonlyArray<A> }
): Effect.Effect<P> =>
  Effect.map(mayChange(area), (isAllowed) =>
    isAllowed ? page : { ...page, items: page.items.map(withoutTransitions) }
  )
