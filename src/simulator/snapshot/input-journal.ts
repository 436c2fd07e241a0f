import type { ExchangeInput } from '../exchange-input.ts'

/**
 * All inputs of an exchange so far; dropped beyond a number of inputs, so that an exchange can run
 * indefinitely.
 */
export class InputJournal {
  readonly #capacity: number
  #inputs: ExchangeInput[]
  #isComplete = true

  constructor(capacity: number, inputs: readonly ExchangeInput[] = []) {
    this.#capacity = capacity
    this.#inputs = [...inputs]
  }

  /** True while every input is stored. */
  get isComplete(): boolean {
    return this.#isComplete
  }

  /** Stops recording. */
  giveUp(): void {
    this.#inputs = []
    this.#isComplete = false
  }

  /** Oldest first. */
  get inputs(): readonly ExchangeInput[] {
    return this.#inputs
  }

  /** Stores the next input; the number of reads in between does not matter. */
  write(input: ExchangeInput): void {
    if (!this.#isComplete) return
    const last = this.#inputs.at(-1)
    if (input.type === 'advance' && last?.type === 'advance' && this.#inputs.length > 1) {
      this.#inputs.pop()
      this.#inputs.push(last.time > input.time ? last : input)
    } else this.#inputs.push(input)
    if (this.#inputs.length <= this.#capacity) return
    this.giveUp()
  }
}
