/**
 * Following the dispatch board live.
 *
 * One loop asks every {@link pollInterval} which trips of the followed businesses changed, on this node or on another. A board
 * of a business with a change is read anew, once for all of its followers, and the difference to its last state is added to
 * the board's log. Each follower has a place in the log:
 *
 *     changes ──▶ read the board ──▶ difference ──▶ log ──▶ follower
 *                                                    └────▶ follower
 *
 * A follower whose place is not in the log any more gets a `gap`, and reads the board itself. If the changes of all businesses
 * cannot be read together, those of each are read apart, so that the boards of a business whose database node is down stop
 * alone.
 */
import {
  Context,
  DateTime,
  Deferred,
  Duration,
  Effect,
  Latch,
  Layer,
  Option,
  Semaphore,
  Stream
} from "effect"
import * as Hex from "effect/encoding/Hex"
import type { ActingBusiness } from "../../business/Business.ts"
import type { TripId } from "../../kernel/Ids.ts"
import { forReader } from "../../business/CurrentRole.ts"
import { makePlaces } from "../../kernel/concurrency/Places.ts"
import { refuseIssues } from "../../kernel/Errors.ts"
import { Cryptography } from "../../kernel/security/Cryptography.ts"
import { monotonicMillis } from "../../kernel/time/MonotonicTime.ts"
import { traced } from "../../kernel/TracedFunction.ts"
import { isStarted } from "../trip/TripStatus.ts"
import { type BoardEvent, boardEventsBetween, type BoardState } from "./BoardEvent.ts"
import type { BoardFilter } from "./BoardFilter.ts"
import { boardPositionRecord } from "./BoardJob.ts"
import { makeReadWholeBoard, timeRangeIssues } from "./DispatchBoard.ts"
import {
  type ChangedTrip,
  DispatchBoardRepository,
  type ReportedPosition
} from "./DispatchBoardRepository.ts"

/** How often the loop asks for changes. */
const pollInterval = Duration.millis(100)

/** How far back the loop looks: a transaction may commit that much later than the time that it wrote into its rows. */
const lookBack = { trips: Duration.seconds(10), positions: Duration.seconds(3) }

/** How old the state of a board may be: changes of drivers, cars and absences are seen at the next reading. */
const longestAge = Duration.seconds(15)

/** How long a board is watched after its last follower left, so that the follower can come back without a gap. */
const lingering = Duration.minutes(1)

/** How long the boards of a business rest after they could not be read. */
const restAfterFailure = Duration.seconds(1)

/** How many businesses are read apart at a time. */
const businessesAtOnce = 4

/** The events that a board's log keeps. */
const keptEvents = 2000

/** The most followers of a business's boards on one node. */
export const maxBoardFollowers = 200

const retryAfterSeconds = 30

/** The time of a board that is followed. */
export type FollowedTime = Pick<BoardFilter, "date" | "from" | "to">

/** An event with the id by which a follower resumes after it. */
export type NumberedBoardEvent = BoardEvent & { readonly id: string }

/** A board that is followed. */
interface Board {
  readonly acting: ActingBusiness
  readonly time: FollowedTime
  /** Random text in the ids of the board's events. Those of an earlier log, or of another node, have another one. */
  readonly epoch: string
  /** Held while the board is read for the first time. */
  readonly firstReading: Semaphore.Semaphore
  isRead: boolean
  /** Whether its streams end, because it has become too long. */
  hasEnded: boolean
  /** Completed when an event is added, and then replaced. */
  added: Deferred.Deferred<void>
  state: BoardState
  log: Array<BoardEvent>
  /** The number of the last event. */
  last: number
  followers: number
  leftAt: number
  readAt: number
  /** When the next job becomes late. */
  nextLate: number
  isDirty: boolean
  /** The changes that the last look found: their time by trip. */
  seen: ReadonlyMap<TripId, number>
  /** Until when the board rests after a failure. */
  restsUntil: number
}

const firstLateAfter = (state: BoardState, now: DateTime.Utc) =>
  Math.min(
    ...[...state.values()].flatMap(({ status, trip_date }) => {
      const at = DateTime.toEpochMillis(DateTime.makeUnsafe(trip_date))
      return isStarted(status) || at < DateTime.toEpochMillis(now) ? [] : [at]
    })
  )

/** The number of the event after which a follower resumes; undefined if its id is not of this board's log. */
const placeOf = ({ epoch, last, log }: Board, lastEventId: string | undefined): number | undefined => {
  const [, text = ""] = lastEventId?.startsWith(`${epoch}-`) === true ? lastEventId.split("-") : []
  const place = /^\d{1,15}$/u.test(text) ? Number(text) : -1
  return place >= last - log.length && place <= last ? place : undefined
}

const withPosition = (state: BoardState, { driverId, position, tripId }: ReportedPosition): BoardState => {
  const job = state.get(tripId)
  if (job === undefined) return state
  const drivers = job.drivers.map((driver) =>
    driver.driver_id === driverId ? { ...driver, position: boardPositionRecord(position) } : driver
  )
  return new Map(state).set(tripId, { ...job, drivers })
}

export class BoardWatch extends Context.Service<BoardWatch>()("@livery/domain/BoardWatch", {
  make: Effect.gen(function* () {
    const repository = yield* DispatchBoardRepository
    const readWholeBoard = yield* makeReadWholeBoard
    const { randomBytes } = yield* Cryptography
    const takePlace = makePlaces(retryAfterSeconds)
    const boards = new Map<string, Board>()
    const hasBoards = Latch.makeUnsafe()
    const closed = Deferred.makeUnsafe<void>()

    const wake = (board: Board) =>
      Effect.suspend(() => {
        const { added } = board
        board.added = Deferred.makeUnsafe()
        return Effect.asVoid(Deferred.succeed(added, undefined))
      })

    /** Replaces the state of a board, and adds the difference to its log. */
    const advance = (board: Board, state: BoardState) =>
      Effect.suspend(() => {
        const events = boardEventsBetween(board.state, state)
        board.state = state
        if (events.length === 0) return Effect.void
        board.log = [...board.log, ...events].slice(-keptEvents)
        board.last += events.length
        return wake(board)
      })

    const read = traced("BoardWatch.read")(function* (board: Board) {
      const now = yield* DateTime.now
      board.readAt = yield* monotonicMillis
      const jobs = yield* readWholeBoard(board.acting, board.time, now)
      const state: BoardState = new Map(jobs.map((job) => [job.trip_id, job]))
      board.nextLate = firstLateAfter(state, now)
      return state
    })

    /** Reads a board again. If that fails, the next look reads it. A board that has become too long ends. */
    const readAgain = (board: Board) =>
      read(board).pipe(
        Effect.tap(() => Effect.sync(() => (board.isDirty = false))),
        Effect.flatMap((state) => advance(board, state)),
        Effect.catch(() => {
          board.hasEnded = true
          return wake(board)
        })
      )

    /** Whether one of these changes of the board's business was not found by the last look. */
    const hasNews = (board: Board, trips: ReadonlyArray<ChangedTrip>) => {
      const before = board.seen
      const now = new Map(trips.map(({ at, tripId }) => [tripId, DateTime.toEpochMillis(at)]))
      board.seen = now
      return [...now].some(([tripId, at]) => before.get(tripId) !== at)
    }

    /** Forgets the boards that have no followers any more. */
    const forgetLeft = (monotonic: number) => {
      for (const [key, { followers, hasEnded, leftAt }] of boards) {
        const isLeft = followers === 0 && monotonic - leftAt > Duration.toMillis(lingering)
        if (isLeft || hasEnded) boards.delete(key)
      }
      if (boards.size === 0) hasBoards.closeUnsafe()
    }

    const lookAt = Effect.fnUntraced(function* (followed: ReadonlyArray<Board>, monotonic: number) {
      const now = yield* DateTime.now
      const businessIds = [...new Set(followed.map(({ acting }) => acting.business_id))]
      const { positions, trips } = yield* repository.changes(businessIds, {
        trips: DateTime.subtractDuration(now, lookBack.trips),
        positions: DateTime.subtractDuration(now, lookBack.positions)
      })
      const changed = Map.groupBy(trips, ({ businessId }) => businessId)
      for (const board of followed) {
        const isChanged = hasNews(board, changed.get(board.acting.business_id) ?? [])
        const isOld = monotonic - board.readAt > Duration.toMillis(longestAge)
        const isLate = DateTime.toEpochMillis(now) >= board.nextLate
        if (isChanged || isOld || isLate) board.isDirty = true
      }
      for (const board of followed) {
        const { business_id } = board.acting
        if (board.isDirty) yield* readAgain(board)
        const own = positions.filter(({ businessId }) => businessId === business_id)
        yield* advance(board, own.reduce(withPosition, board.state))
      }
    })

    const lookAtBusiness = (boardsOfOne: ReadonlyArray<Board>, monotonic: number) =>
      Effect.catchCause(lookAt(boardsOfOne, monotonic), (cause) => {
        for (const board of boardsOfOne) board.restsUntil = monotonic + Duration.toMillis(restAfterFailure)
        return Effect.logWarning("The followed boards of a business could not be read", cause)
      })

    const look = traced("BoardWatch.look")(function* () {
      const monotonic = yield* monotonicMillis
      forgetLeft(monotonic)
      const followed = [...boards.values()].filter(
        ({ isRead, restsUntil }) => isRead && restsUntil <= monotonic
      )
      if (followed.length === 0) return
      yield* Effect.catchCause(lookAt(followed, monotonic), () =>
        Effect.forEach(
          Map.groupBy(followed, ({ acting }) => acting.business_id).values(),
          (boardsOfOne) => lookAtBusiness(boardsOfOne, monotonic),
          { concurrency: businessesAtOnce, discard: true }
        )
      )
    })

    yield* Effect.forkScoped(
      Effect.forever(hasBoards.await.pipe(Effect.andThen(Effect.sleep(pollInterval)), Effect.andThen(look())))
    )

    const newBoard = (acting: ActingBusiness, time: FollowedTime, epoch: string): Board => ({
      acting,
      time,
      epoch,
      firstReading: Semaphore.makeUnsafe(1),
      isRead: false,
      hasEnded: false,
      added: Deferred.makeUnsafe(),
      state: new Map(),
      log: [],
      last: 0,
      followers: 0,
      leftAt: 0,
      readAt: 0,
      nextLate: Number.POSITIVE_INFINITY,
      isDirty: false,
      seen: new Map(),
      restsUntil: 0
    })

    /** Adds a follower to a board until the scope closes. The first follower of a board reads it. */
    const join = Effect.fnUntraced(function* (acting: ActingBusiness, time: FollowedTime) {
      const key = JSON.stringify([acting.business_id, acting.timezone, time.date, time.from, time.to])
      const epoch = Hex.encode(yield* randomBytes(9))
      const board = yield* Effect.acquireRelease(
        Effect.sync(() => {
          const one = boards.get(key) ?? newBoard(acting, time, epoch)
          boards.set(key, one)
          one.followers += 1
          hasBoards.openUnsafe()
          return one
        }),
        (one) =>
          Effect.map(monotonicMillis, (now) => {
            one.followers -= 1
            one.leftAt = now
          })
      )
      yield* board.firstReading.withPermits(1)(
        Effect.suspend(() =>
          board.isRead
            ? Effect.void
            : Effect.map(read(board), (state) => {
                board.state = state
                board.isRead = true
              })
        )
      )
      return board
    })

    const numbered = ({ epoch }: Board, event: BoardEvent, number: number): NumberedBoardEvent => ({
      ...event,
      id: `${epoch}-${number}`
    })

    /** The events after a place in the log. Without a place, a gap comes first. */
    const eventsAfter = (board: Board, start: number | undefined, reason: "start" | "missed") =>
      Stream.paginate(
        start,
        Effect.fnUntraced(function* (place: number | undefined) {
          if (board.hasEnded) return [[], Option.none()] as const
          const { last, log } = board
          if (place === last) {
            yield* Deferred.await(board.added)
            return [[], Option.some(place)] as const
          }
          const first = last - log.length
          const events: ReadonlyArray<NumberedBoardEvent> =
            place === undefined || place < first
              ? [
                  numbered(
                    board,
                    { event: "gap", data: { reason: place === undefined ? reason : "missed" } },
                    last
                  )
                ]
              : log.slice(place - first).map((event, index) => numbered(board, event, place + index + 1))
          return [events, Option.some<number | undefined>(last)] as const
        })
      )

    return {
      /**
       * What changes on the business's board of a day or of the time between two instants. The first event is a `gap`, after
       * which the follower reads the board, unless `lastEventId` is of an event that the log keeps: then the events after it
       * come. The scope holds the follower's place. `InvalidInput` as for the board, also if it has more than 5,000 jobs;
       * `TooManyRequests` beyond {@link maxBoardFollowers}.
       */
      follow: traced("BoardWatch.follow")(function* (
        acting: ActingBusiness,
        time: FollowedTime,
        lastEventId: string | undefined
      ) {
        yield* refuseIssues(timeRangeIssues(time, acting.timezone))
        yield* takePlace(`${acting.business_id}`, maxBoardFollowers)
        const board = yield* join(acting, time)
        const start = placeOf(board, lastEventId)
        return eventsAfter(board, start, lastEventId === undefined ? "start" : "missed").pipe(
          Stream.mapEffect((event) =>
            event.event === "trip" || event.event === "assignment"
              ? Effect.map(forReader("operations", event.data), (data): NumberedBoardEvent => ({
                  ...event,
                  data
                }))
              : Effect.succeed(event)
          ),
          Stream.interruptWhen(Deferred.await(closed))
        )
      }),

      /** Ends all streams immediately, also those that begin later; for a server that is about to stop. */
      close: Effect.asVoid(Deferred.succeed(closed, undefined))
    }
  })
}) {
  static readonly layer = Layer.effect(BoardWatch, BoardWatch.make)
}
