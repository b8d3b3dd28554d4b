import { EventHistory } from "@livery/domain"
import { Option } from "effect"
import { cursorOf, numbersOf } from "../store/Cursors.ts"
import { ascending } from "../store/Pages.ts"
import { inMemory } from "../store/Store.ts"

const positionOf = (cursor: string | undefined): Option.Option<number> =>
  cursor === undefined
    ? Option.some(0)
    : Option.flatMap(numbersOf(cursor), ([position = -1, ...others]) =>
        others.length === 0 && position >= 0 ? Option.some(position) : Option.none()
      )

export const layer = inMemory(EventHistory, ({ events, step }) => ({
  after: (business, cursor, limit) =>
    step(() =>
      Option.map(positionOf(cursor), (from) => {
        const rest = events
          .where(
            ({ businessId, isSample, position }) => businessId === business && !isSample && position > from
          )
          .toSorted(ascending(({ position }) => [position]))
        const page = rest.slice(0, limit)
        return {
          bodies: page.map(({ body }) => body),
          cursor: cursorOf([page.at(-1)?.position ?? from]),
          hasMore: rest.length > limit
        }
      })
    ),
  end: (business) =>
    step(() => {
      const own = events.where(({ businessId, isSample }) => businessId === business && !isSample)
      return cursorOf([Math.max(0, ...own.map(({ position }) => position))])
    })
}))
