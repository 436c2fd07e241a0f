import { CommanderError } from 'commander'
import { SluiceError } from '../domain/sluice-error.ts'
import { INTERRUPTED, Interrupted } from './interruption.ts'

/** Failure of a command. */
export interface Failure {
  /** 2 for errors that the user can correct, 130 after Ctrl-C, 1 for other errors; 0 for help. */
  readonly exitCode: number
  /** Message for the user: whole lines, or empty if it is already written. */
  readonly text: string
}

/** Message of an error for the user; only bugs show a stack. */
export function failureOf(error: unknown): Failure {
  // Commander has already written it.
  if (error instanceof CommanderError) return { exitCode: error.exitCode === 0 ? 0 : 2, text: '' }
  if (error instanceof Interrupted) return { exitCode: INTERRUPTED, text: `${error.message}\n` }
  if (!(error instanceof SluiceError) || error.code === 'INVARIANT') return bug(error)
  if (error.reaction === 'exit') return { exitCode: 2, text: `${error.message}\n` }
  // A failure of the network or of a file is not caused by a line of code: its message suffices.
  const origin = error.reaction === 'retry' || error.code === 'JOURNAL' ? '' : originOf(error.cause)
  return { exitCode: 1, text: `${error.message}\n${origin}` }
}

function bug(error: unknown): Failure {
  const detail = error instanceof Error ? (error.stack ?? error.message) : String(error)
  return { exitCode: 1, text: `Sluice failed unexpectedly; this is a mistake in Sluice.\n${detail}\n` }
}

/** Frames in which Sluice calls a strategy. */
const CALL_OF_STRATEGY = /[\\/]src[\\/](strategy|engine)[\\/]/

/** Stack lines of an error's origin: in a strategy all of its own, otherwise the first. */
function originOf(cause: unknown): string {
  const stack = cause instanceof Error ? (cause.stack ?? '') : ''
  const frames = stack.split('\n').filter(line => /^ {4}at .+$/.test(line))
  const call = frames.findIndex(frame => CALL_OF_STRATEGY.test(frame))
  return frames
    .slice(0, Math.max(1, call))
    .map(frame => `${frame}\n`)
    .join('')
}
