/**
 * A caller's rate limit after one request: the requests that its window allows, those that remain, and when the window
 * ends, in Unix seconds.
 */
export interface RateLimitStatus {
  readonly allowed: boolean
  readonly limit: number
  readonly remaining: number
  readonly resetsAt: number
  /** When a refused caller may retry, in seconds. */
  readonly retryAfterSeconds: number
}
