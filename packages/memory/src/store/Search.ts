/** Searching by a part of a text. */

/** Whether one of the texts contains the searched one, in any case; true without a search. */
export const anyContains = (search: string | null, texts: ReadonlyArray<string>): boolean =>
  search === null || texts.some((text) => text.toLowerCase().includes(search.toLowerCase()))
