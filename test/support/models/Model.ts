/** Models of records with a state machine, which tests compare with the real records. */

/** The status of an answer: `ok` for a success, otherwise that of the refusal. */
export type ModelAnswer = "ok" | 404 | 409 | 422

/** How a step is answered, and the record after it. A refused step changes nothing. */
export interface Taken<M> {
  readonly answer: ModelAnswer
  readonly after: M
}

/** The effect of one step on a record. */
export type Take<M, Step> = (model: M, step: Step) => Taken<M>

const orders = <A>(items: ReadonlyArray<A>): ReadonlyArray<ReadonlyArray<A>> =>
  items.length === 0
    ? [[]]
    : items.flatMap((item, index) =>
        orders([...items.slice(0, index), ...items.slice(index + 1)]).map((rest) => [item, ...rest])
      )

/**
 * The records that concurrent steps may leave, given how each was answered: for each order in which the steps can have
 * been taken one after the other with these answers, the record after the last one. Empty if there is no such order.
 */
export const explanations = <M, Step>(
  take: Take<M, Step>,
  before: M,
  answered: ReadonlyArray<{ readonly step: Step; readonly answer: ModelAnswer }>
): ReadonlyArray<M> =>
  orders(answered).flatMap((order) => {
    let model = before
    for (const { answer, step } of order) {
      const taken = take(model, step)
      if (taken.answer !== answer) return []
      model = taken.after
    }
    return [model]
  })
