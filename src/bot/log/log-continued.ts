import type { Logger } from 'pino'
import type { Engine } from '../../engine/engine.ts'
import type { JournaledStrategy, SessionRecord } from '../state/session-record.ts'

/** A parameter or the size of a strategy that a restart has changed, both as configured; `undefined` where the default counts. */
interface Change {
  readonly name: string
  readonly before: unknown
  readonly now: unknown
}

/** A strategy that had stopped before a restart. */
interface FormerlyStopped {
  readonly book: string
  /** Reason of the halt of its instrument, a sentence; absent of a strategy that threw or ended. */
  readonly halted?: string
}

/** The stopped strategies. */
export function stoppedBooks({ runners }: Pick<Engine, 'runners'>): readonly FormerlyStopped[] {
  return runners
    .filter(({ hasStopped }) => hasStopped)
    .map(({ book, haltedBy }) => ({ book, ...(haltedBy !== undefined && { halted: haltedBy }) }))
}

/** Logs the strategies that had stopped, and that the new session runs them again. */
export function logAskedAgain(
  log: Logger,
  stopped: readonly FormerlyStopped[],
  { runners }: Pick<Engine, 'runners'>,
): void {
  const running = new Set(runners.filter(({ hasStopped }) => !hasStopped).map(({ book }) => book))
  for (const one of stopped)
    if (running.has(one.book)) log.warn(one, 'a strategy that had stopped decides again')
}

/** Logs strategies with other parameters, or another size, than in the session before. */
export function logChangedParameters(log: Logger, before: SessionRecord, now: SessionRecord): void {
  const former = [...before.strategies]
  for (const strategy of now.strategies) {
    const index = former.findIndex(other => isSame(other, strategy))
    const [same] = index < 0 ? [] : former.splice(index, 1)
    const changes = same === undefined ? [] : changesOf(same, strategy)
    if (changes.length === 0) continue
    const { file, symbol, interval } = strategy
    log.info({ file, symbol, interval, changes }, 'a strategy goes on with other parameters')
  }
}

function isSame(one: JournaledStrategy, other: JournaledStrategy): boolean {
  return one.file === other.file && one.symbol === other.symbol && one.interval === other.interval
}

function changesOf(before: JournaledStrategy, now: JournaledStrategy): readonly Change[] {
  const [former, current] = [before, now].map(({ parameters, size }) => ({ ...parameters, size }) as Fields)
  const names = new Set([...Object.keys(former ?? {}), ...Object.keys(current ?? {})])
  return [...names]
    .map(name => ({ name, before: former?.[name], now: current?.[name] }))
    .filter(change => JSON.stringify(change.before) !== JSON.stringify(change.now))
}

type Fields = Readonly<Record<string, unknown>>
