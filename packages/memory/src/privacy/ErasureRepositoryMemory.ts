import { ErasureRepository, type HeldErasure } from "@livery/domain"
import { DateTime, Equal, Option } from "effect"
import { ascending } from "../store/Pages.ts"
import { inMemory } from "../store/Store.ts"

export const layer = inMemory(ErasureRepository, ({ erasures, step }) => {
  const isHeld = ({ key, lease }: HeldErasure) => erasures.get(key)?.lease === lease

  return {
    find: (key) => step(() => Option.map(Option.fromUndefinedOr(erasures.get(key)), ({ person }) => person)),
    begin: (erasure, { lease, until }) =>
      step(() => {
        const unfinished = erasures.get(erasure.key)
        const isSame = unfinished !== undefined && Equal.equals(unfinished.person, erasure.person)
        const held = { ...erasure, progress: isSame ? unfinished.progress : {}, lease, attempt: 0 }
        erasures.set(erasure.key, { ...held, due_at: until })
        return held
      }),
    claim: ({ lease, until }, now) =>
      step(() => {
        const [due] = erasures
          .where(({ due_at }) => DateTime.isLessThanOrEqualTo(due_at, now))
          .toSorted(ascending(({ due_at, key }) => [DateTime.toEpochMillis(due_at), key]))
        if (due === undefined) return Option.none()
        const { due_at: _, ...erasure } = due
        const held = { ...erasure, lease, attempt: erasure.attempt + 1 }
        erasures.set(held.key, { ...held, due_at: until })
        return Option.some(held)
      }),
    lock: (held) => step(() => isHeld(held)),
    save: (held, progress, until) =>
      step(() => {
        if (isHeld(held)) erasures.change(held.key, { progress, attempt: 0, due_at: until })
      }),
    postpone: (held, until) =>
      step(() => {
        if (isHeld(held)) erasures.change(held.key, { due_at: until })
      }),
    remove: (held) =>
      step(() => {
        if (isHeld(held)) erasures.remove(held.key)
      })
  }
})
