/** What the methods of the client take and return. */

/** The options of every call. */
export interface CallOptions {
  /** Ends the call; it then throws the signal's reason. */
  readonly signal?: AbortSignal | undefined
  /** The key under which a POST is carried out once. Without it, the client makes one for each call. */
  readonly idempotencyKey?: string | undefined
  /**
   * The change applies only if the record was not changed since: a record that this client returned, or an `ETag`.
   * Otherwise it throws an error of the type `conflict`.
   */
  readonly ifMatch?: object | string | undefined
  /** The business that a user acts for, instead of the client's. */
  readonly businessId?: number | undefined
  /** The reason in the audit log, for calls of administrators. */
  readonly auditReason?: string | undefined
  /** Further headers. */
  readonly headers?: Readonly<Record<string, string>> | undefined
}

/** `meta` of a response. */
export interface Meta {
  readonly request_id: string
}

/** A whole response. */
export interface Full<A, M = Meta> {
  readonly data: A
  readonly meta: M
  readonly headers: Headers
  readonly status: number
}

/** The record of a response; `withResponse()` returns the whole response. */
export interface Call<A> extends Promise<A> {
  withResponse(): Promise<Full<A>>
}

/** How a list by pages goes on. */
export interface PagePagination {
  readonly page: number
  readonly per_page: number
  readonly count: number
  readonly total?: number
  readonly total_pages?: number
  readonly has_more: boolean
  readonly next_cursor?: string
}

/** How the list of events goes on: `next_after`, sent as `after`, returns the events after these. */
export interface EventPagination {
  readonly count: number
  readonly has_more: boolean
  readonly next_after: string
}

/** One page of a list. */
export interface Page<A, P = PagePagination> extends Full<A[], Meta & { readonly pagination: P }> {
  /** The next page; undefined after the last one. */
  next(): Promise<Page<A, P> | undefined>
}

/** The records of a list, of all pages from the one that was asked for. Nothing is requested before the first is read. */
export interface List<A, P = PagePagination> extends AsyncIterable<A> {
  /** The page that was asked for; the first one by default. */
  page(): Promise<Page<A, P>>
  /** All records that the filters find, as a CSV file. */
  csv(): Promise<Blob>
}

/** One event of a stream. */
export interface StreamEvent<E extends string, A> {
  readonly event: E
  readonly data: A
  readonly id: string
}

/** The parameters in a request's query. A list is sent as several parameters of that name. */
export type Query = Readonly<Record<string, unknown>>
