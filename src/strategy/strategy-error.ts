import { SluiceError } from '../domain/sluice-error.ts'

/** A strategy threw, or returned what is no signal; the message names strategy, handler and market time. */
export class StrategyError extends SluiceError {
  constructor(message: string, cause?: unknown) {
    super(message, { code: 'STRATEGY', reaction: 'disable', cause })
  }
}

/** A strategy has nothing more to decide; unlike one that threw, it leaves its resting orders alone. */
export class StrategyEnded extends StrategyError {}
