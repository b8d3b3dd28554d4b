/** The settings that build the links in notices. */
import { Context } from "effect"

/** The pages of the installation that notices link to. */
export interface NoticePages {
  /** Following a trip, by its tracking token. */
  readonly track: (token: string) => string
  /** The jobs of a driver who signs in. */
  readonly drive: string
}

/** The pages that notices link to; undefined if the installation has none. */
export const NoticeLinks = Context.Reference<NoticePages | undefined>("@livery/domain/NoticeLinks", {
  defaultValue: () => undefined
})
