/** `livery doctor`: checks the installation. */
import { Console, Effect } from "effect"
import { Command } from "effect/cli"
import { descriptions } from "../../usage/Descriptions.ts"
import { json } from "../../usage/JsonFlag.ts"
import { diagnosis } from "./Diagnosis.ts"
import { CommandRefused } from "../../usage/Refusal.ts"
import { standardOutput, table } from "../../terminal/Tables.ts"

export const doctor = Command.make(
  "doctor",
  { json },
  Effect.fn(function* ({ json: asJson }) {
    const findings = yield* diagnosis
    yield* Console.log(
      asJson
        ? JSON.stringify({ findings })
        : table(
            findings,
            [
              ["check", "CHECK"],
              ["status", "STATUS"],
              ["detail", "DETAIL"]
            ],
            standardOutput(),
            { wrapsLast: true }
          )
    )
    const failures = findings.filter(({ status }) => status === "failed").map(({ check }) => check)
    if (failures.length > 0)
      return yield* new CommandRefused({ type: "unhealthy", reason: `Failed checks: ${failures.join(", ")}` })
  })
).pipe(
  Command.withDescription(descriptions.doctor),
  Command.withExamples([{ command: "livery doctor", description: "Exit code 1 if a check failed" }])
)
