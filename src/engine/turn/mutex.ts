/** Runs tasks one after another in the order they came, whatever they await and however they end. */
export class Mutex {
  #last: Promise<unknown> = Promise.resolve()

  run<T>(task: () => Promise<T>): Promise<T> {
    const result = this.#last.then(task)
    this.#last = result.catch(() => undefined)
    return result
  }
}
