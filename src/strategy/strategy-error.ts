import { SluiceError } from '../domain/sluice-error.ts'

/** A strategy threw, or returned an invalid signal; the message names strategy, handler and market time. */
export class StrategyError extends SluiceError {
  constructor(message: string, cause?: unknown) {
    super(message, { code: 'STRATEGY', reaction: 'disable', cause })
  }
}

/** A strategy ended by its own decision; unlike after an error, its resting orders stay. */
export class StrategyEnded extends StrategyError {}
