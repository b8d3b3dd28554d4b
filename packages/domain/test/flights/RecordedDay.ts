/**
 * A recorded day of 40 arrivals. Each line has the number of a flight and its scheduled arrival; then what the service said from
 * a time on: `e` with the estimated arrival, `l` with the landing, or that the flight is cancelled or diverted.
 */
import type { FlightReport } from "@livery/domain"
import { DateTime } from "effect"

const lines = [
  "LX 113 05:34 | 03:59 e05:56 | 04:19 e05:53 | 05:54 l05:53",
  "LH 1978 05:59 | 04:09 e05:47 | 04:33 e06:47 | 06:48 l06:47",
  "BA 487 06:24 | 03:54 e06:21 | 06:21 l06:20",
  "AF 563 07:01 | 05:26 e07:23 | 05:53 e07:11 | 07:12 l07:11",
  "KL 1181 07:19 | 05:44 e07:34 | 06:04 e07:31 | 06:36 e07:53 | 07:56 l07:55",
  "OS 1442 07:53 | 05:43 e07:46 | 06:13 e07:43 | 07:46 l07:45",
  "U2 1665 08:18 | 06:43 e08:06 | 07:04 e07:54 | 07:33 e08:54 | 08:55 l08:54",
  "EW 353 08:41 | 06:11 e08:34 | 06:21 cancelled",
  "TP 1229 09:16 | 07:06 e09:20 | 07:25 e09:42 | 09:44 l09:43",
  "IB 1526 09:35 | 07:25 e10:35 | 10:37 l10:36",
  "SK 1225 10:07 | 07:57 e11:07 | 11:10 l11:09",
  "AY 1890 10:39 | 09:04 e12:39 | 09:25 e14:39 | 09:42 e16:39 | 16:42 l16:41",
  "EK 1681 11:04 | 08:54 e10:52 | 10:53 l10:52",
  "TK 833 11:22 | 08:52 e12:22 | 12:21 l12:20",
  "DL 1507 11:59 | 10:24 e11:47 | 10:49 e11:56 | 11:04 e11:44 | 11:16 diverted",
  "UA 315 12:23 | 10:13 e12:16 | 12:19 l12:18",
  "LX 664 12:45 | 10:35 e12:54 | 10:54 e12:51 | 12:52 l12:51",
  "LH 1550 13:09 | 10:39 e13:13 | 11:02 e14:13 | 11:25 e14:28 | 14:29 l14:28",
  "BA 21 13:40 | 11:30 e14:02 | 11:55 e13:55 | 12:28 e13:59 | 13:58 l13:57",
  "AF 1531 14:08 | 11:58 e14:17 | 12:28 e14:32 | 12:54 e14:54 | 14:57 l14:56",
  "KL 976 14:38 | 12:08 e15:13 | 12:34 e15:06 | 13:06 e14:54 | 14:53 l14:52",
  "OS 927 15:04 | 12:54 e15:13 | 15:12 l15:11",
  "U2 1591 15:28 | 13:38 e15:25 | 14:04 e15:40 | 14:20 e15:44 | 15:43 l15:42",
  "EW 704 16:01 | 14:26 e16:05 | 14:36 cancelled",
  "TP 1701 16:23 | 14:13 e16:16 | 16:16 l16:15",
  "IB 1037 16:57 | 14:47 e17:57 | 15:13 e18:06 | 18:07 l18:06",
  "SK 1866 17:18 | 14:48 e17:15 | 15:11 e17:03 | 17:05 l17:04",
  "AY 1187 17:51 | 15:41 e18:06 | 15:59 e18:10 | 18:10 l18:09",
  "EK 1360 18:07 | 16:32 e18:04 | 16:55 e18:26 | 18:26 l18:25",
  "TK 1757 18:34 | 16:59 e18:56 | 17:29 e19:31 | 17:57 e19:24 | 19:25 l19:24",
  "DL 1934 19:07 | 17:32 e19:29 | 19:30 l19:29",
  "UA 618 19:28 | 17:38 e20:28 | 18:08 e20:21 | 18:24 e21:21 | 18:36 diverted",
  "LX 1611 20:00 | 18:25 e19:57 | 18:51 e20:57 | 21:00 l20:59",
  "LH 1500 20:25 | 17:55 e21:00 | 18:20 e21:35 | 18:41 e21:32 | 21:32 l21:31",
  "BA 1721 20:54 | 19:19 e21:54 | 19:38 e22:29 | 20:19 e22:22 | 22:23 l22:22",
  "AF 877 21:21 | 18:51 e21:25 | 19:11 e21:34 | 19:31 e22:09 | 22:11 l22:10",
  "KL 1415 21:44 | 19:14 e22:06 | 19:33 e22:41 | 22:40 l22:39",
  "OS 519 22:12 | 20:37 e23:12 | 23:13 l23:12",
  "U2 1935 22:39 | 20:29 e22:32 | 22:34 l22:33",
  "EW 101 23:12 | 21:02 e23:34 | 21:31 e23:56 | 23:59 l23:58"
]

/** An instant on the recorded day. After 24:00, the hours count on. */
export const onTheDay = (time: string): DateTime.Utc => {
  const [hours = 0, minutes = 0] = time.split(":").map(Number)
  return DateTime.add(DateTime.makeUnsafe("2026-11-20T00:00:00Z"), { hours, minutes })
}

/** A report, from when the service gives it. */
interface RecordedReport {
  readonly from: DateTime.Utc
  readonly report: FlightReport
}

/** A flight of the day with its reports, in order of time. */
export interface RecordedFlight {
  readonly number: string
  readonly scheduled: DateTime.Utc
  readonly reports: ReadonlyArray<RecordedReport>
}

const reportOf = (scheduled: DateTime.Utc, said: string): FlightReport => {
  const report = { scheduled, estimated: null, landed: null, terminal: null, gate: null } as const
  if (said === "cancelled" || said === "diverted") return { ...report, state: said }
  const at = onTheDay(said.slice(1))
  return said.startsWith("l")
    ? { ...report, state: "landed", landed: at, estimated: at }
    : { ...report, state: "active", estimated: at }
}

/** The flights of the day. */
export const recordedDay: ReadonlyArray<RecordedFlight> = lines.map((line) => {
  const [head = "", ...changes] = line.split(" | ")
  const scheduled = onTheDay(head.slice(-5))
  return {
    number: head.slice(0, -6),
    scheduled,
    reports: changes.map((change) => ({
      from: onTheDay(change.slice(0, 5)),
      report: reportOf(scheduled, change.slice(6))
    }))
  }
})
