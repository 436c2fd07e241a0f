import { SluiceError } from '../../domain/sluice-error.ts'

/** A range cannot be read without a gap; all items yielded before are complete. */
export class IncompleteRangeError extends SluiceError {
  /** Name of the list, such as `spot history orders`. */
  readonly what: string

  constructor(what: string, why: string) {
    super(`The range of ${what} cannot be read completely: ${why}`, {
      code: 'INCOMPLETE_RANGE',
      reaction: 'skip',
    })
    this.what = what
  }
}
