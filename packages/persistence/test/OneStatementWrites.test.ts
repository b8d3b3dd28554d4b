// The ports that have a form of one statement for a plain PostgreSQL keep their contracts in that form, too.
import { Layer } from "effect"
import { dispatchBoardRepository } from "../../../test/contract/DispatchBoardRepository.ts"
import { driverLocationRepository } from "../../../test/contract/DriverLocationRepository.ts"
import { eventLog } from "../../../test/contract/EventLog.ts"
import { noticeMarks } from "../../../test/contract/NoticeMarks.ts"
import { tripRepository } from "../../../test/contract/TripRepository.ts"
import { PlainWrites } from "../src/sql/schema/WriteForm.ts"
import { RecordsPg } from "./support/RecordsPg.ts"
import { TestPersistence } from "./support/TestPersistence.ts"

const Ports = RecordsPg.pipe(
  Layer.provideMerge(TestPersistence),
  Layer.provide(Layer.succeed(PlainWrites, false))
)

for (const contract of [
  dispatchBoardRepository,
  driverLocationRepository,
  eventLog,
  noticeMarks,
  tripRepository
])
  contract(Ports)
