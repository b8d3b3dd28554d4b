/**
 * For how long the machine stops programs that are ready to run. A virtual machine gets its processors from a host that others use
 * too, so even a loop that does nothing stands still for milliseconds. No server can have a lower p99 than that.
 */
import { availableParallelism } from "node:os"
import { Worker } from "node:worker_threads"
import { report } from "../webhooks/Figures.ts"

/** A loop that runs for some milliseconds, and reports each of its pauses in milliseconds. */
const loop = `
const { parentPort, workerData } = require("node:worker_threads")
const pauses = []
let last = performance.now()
const end = last + workerData
while (last < end) {
  const now = performance.now()
  if (now - last > 0.05) pauses.push(now - last)
  last = now
}
parentPort.postMessage(pauses)`

const pausesOf = (millis: number) =>
  new Promise<ReadonlyArray<number>>((resolve, reject) => {
    const worker = new Worker(loop, { eval: true, workerData: millis })
    worker.once("message", resolve).once("error", reject)
  })

/** The part of the time in which a program would wait for longer than `wait` until it runs. */
const shareOfWaits = (pauses: ReadonlyArray<number>, wait: number, millis: number) =>
  pauses.reduce((sum, pause) => sum + Math.max(pause - wait, 0), 0) / millis

/** The wait, in milliseconds, that a hundredth of all moments exceeds. */
const p99OfWaits = (pauses: ReadonlyArray<number>, millis: number): number => {
  let [low, high] = [0, Math.max(0, ...pauses)]
  for (let step = 0; step < 40; step++) {
    const middle = (low + high) / 2
    if (shareOfWaits(pauses, middle, millis) > 0.01) low = middle
    else high = middle
  }
  return high
}

/** Runs a loop that does nothing on each processor for some milliseconds, and prints how long they were stopped. */
export const reportPauses = async (millis: number) => {
  const loops = await Promise.all(Array.from({ length: availableParallelism() }, () => pausesOf(millis)))
  const figures = loops.map(
    (pauses) =>
      `p99 of the wait ${p99OfWaits(pauses, millis).toFixed(2)} ms, longest ${Math.max(0, ...pauses).toFixed(1)}, ` +
      `${pauses.filter((pause) => pause > 1).length} of more than 1 ms`
  )
  report(`The machine alone, ${millis / 1000} s, a loop on each processor: ${figures.join("; ")}`)
}
