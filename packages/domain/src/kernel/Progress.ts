/** Receives the progress of long work: how much of it is done, and how much there is. */
export type OnProgress = (done: number, total: number) => void
