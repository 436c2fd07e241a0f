import { CommanderError } from 'commander'
import { SluiceError } from '../domain/sluice-error.ts'
import { INTERRUPTED, Interrupted } from './interruption.ts'

/** How a command failed. */
export interface Failure {
  /** 2 for what the user can correct, 130 after Ctrl-C, 1 for everything else; 0 where help was asked for. */
  readonly exitCode: number
  /** What to tell the user: whole lines, or nothing where everything has been said. */
  readonly text: string
}

/** What to tell the user of an error; only bugs show a stack. */
export function failureOf(error: unknown): Failure {
  // Commander has told it already.
  if (error instanceof CommanderError) return { exitCode: error.exitCode === 0 ? 0 : 2, text: '' }
  if (error instanceof Interrupted) return { exitCode: INTERRUPTED, text: `${error.message}\n` }
  if (!(error instanceof SluiceError) || error.code === 'INVARIANT') return bug(error)
  if (error.reaction === 'exit') return { exitCode: 2, text: `${error.message}\n` }
  // A line that failed is of no code: its message says all.
  const origin = error.reaction === 'retry' ? '' : originOf(error.cause)
  return { exitCode: 1, text: `${error.message}\n${origin}` }
}

function bug(error: unknown): Failure {
  const detail = error instanceof Error ? (error.stack ?? error.message) : String(error)
  return { exitCode: 1, text: `Sluice failed unexpectedly; this is a mistake in Sluice.\n${detail}\n` }
}

/** Where Sluice calls a strategy. */
const CALL_OF_STRATEGY = /[\\/]src[\\/](strategy|engine)[\\/]/

/** The lines of code that an error comes from: of a strategy all that are its own, otherwise the first. */
function originOf(cause: unknown): string {
  const stack = cause instanceof Error ? (cause.stack ?? '') : ''
  const frames = stack.split('\n').filter(line => /^ {4}at .+$/.test(line))
  const call = frames.findIndex(frame => CALL_OF_STRATEGY.test(frame))
  return frames
    .slice(0, Math.max(1, call))
    .map(frame => `${frame}\n`)
    .join('')
}
