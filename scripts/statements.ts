/** Checks the record of statements: each name fits its text, and once one statement is certified for Citus, all are. */
import { certified, recordFaults } from "./statements/Certification.ts"
import { readRecord } from "./statements/Record.ts"

const record = readRecord()
const faults = recordFaults(record)
for (const fault of faults) process.stderr.write(`${fault}\n`)
process.stdout.write(`${certified(record)}\n`)
if (faults.length > 0) process.exitCode = 1
