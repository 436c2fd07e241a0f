import { relative, resolve } from 'node:path'
import { strategyFiles } from '../../../../backtest/manifest/strategy-files.ts'
import { withoutFreshness } from '../../../bot/start/fresh-modules.ts'
import { SluiceError } from '../../../domain/sluice-error.ts'
import { onStopSignal } from '../../bot/stop-signal.ts'
import { failureOf } from '../../failure.ts'
import { Interrupted } from '../../interruption.ts'
import { PROJECT_FOLDER } from '../../project.ts'
import type { OutputStreams } from '../../streams.ts'
import { backtestReport } from '../backtest-command.ts'
import type { BacktestCommandOptions } from '../backtest-command-options.ts'
import { renderReport } from '../backtest-output.ts'
import { countedRun } from '../counted-run.ts'
import { type ComparedRun, figureChanges } from './figure-changes.ts'
import { FileChanges } from './file-changes.ts'
import { WatchedSources } from './watched-sources.ts'

/** Reads the options of the command line with the current files; throws `UsageError`. */
export type ReadOptions = () => BacktestCommandOptions

/** Files named on the command line, known before reading. */
export interface NamedFiles {
  readonly strategy: string | undefined
  readonly config: string
}

/**
 * Runs a backtest, and again whenever its strategies, their imports or its configuration are saved; data are
 * read once. After an error it reports it and waits for the next change. SIGINT, SIGTERM and SIGHUP end it:
 * during a wait it resolves to exit code 0, during a run it rejects with `Interrupted`.
 */
export async function watchCommand(
  readOptions: ReadOptions,
  named: NamedFiles,
  streams: Pick<OutputStreams, 'out' | 'err'>,
): Promise<number> {
  const watch = new BacktestWatch(readOptions, named, streams)
  try {
    return await watch.untilStopped()
  } finally {
    watch.stop()
  }
}

class BacktestWatch {
  readonly #readOptions: ReadOptions
  readonly #streams: Pick<OutputStreams, 'out' | 'err'>
  readonly #sources = new WatchedSources()
  readonly #changes = new FileChanges(() => this.#onChange())
  readonly #config: string
  #strategies: readonly string[]
  #before: ComparedRun | undefined
  #isRunning = false
  #isChanged = false
  #wake: () => void = () => {}

  constructor(
    readOptions: ReadOptions,
    { strategy, config }: NamedFiles,
    streams: Pick<OutputStreams, 'out' | 'err'>,
  ) {
    this.#readOptions = readOptions
    this.#streams = streams
    this.#config = config
    this.#strategies = strategy === undefined ? [] : [strategy]
  }

  untilStopped(): Promise<number> {
    const stopped = new Promise<number>((resolve, reject) => {
      onStopSignal(() => (this.#isRunning ? reject(new Interrupted()) : resolve(0)))
    })
    return Promise.race([stopped, this.#runForever()])
  }

  stop(): void {
    this.#changes.stop()
    this.#sources.stop()
  }

  async #runForever(): Promise<never> {
    for (;;) {
      this.#isChanged = false
      // Before the run, so that no change during the run is missed.
      this.#changes.follow(this.#files())
      await this.#run()
      if (!this.#isChanged) await new Promise<void>(resolve => this.#wakeBy(resolve))
    }
  }

  #wakeBy(wake: () => void): void {
    this.#wake = wake
  }

  #onChange(): void {
    this.#isChanged = true
    this.#wake()
  }

  async #run(): Promise<void> {
    const { err } = this.#streams
    this.#isRunning = true
    try {
      await this.#report()
    } catch (error) {
      if (!(error instanceof SluiceError) || error.code === 'INVARIANT') throw error
      err.write(withoutFreshness(failureOf(error).text))
    } finally {
      this.#isRunning = false
    }
    // Now the listed strategies and their imports are known.
    const files = this.#files()
    this.#changes.follow(files)
    err.write(`Waiting for a change of ${files.map(shown).join(', ')}; Ctrl-C ends.\n`)
  }

  async #report(): Promise<void> {
    const { out, err } = this.#streams
    const options = this.#readOptions()
    this.#strategies = [...new Set((options.markets ?? [options]).map(({ strategy }) => strategy))]
    const report = await backtestReport({ ...options, sources: this.#sources }, err)
    const luck = await countedRun(report, options, err)
    for (const write of await renderReport(report, options, out, luck)) write()
    const { quote, metrics } = report
    const now = { quote, figures: metrics.figures }
    if (this.#before !== undefined && options.json !== '-')
      out.write(`\n${figureChanges(this.#before, now)}\n`)
    this.#before = now
  }

  #files(): readonly string[] {
    return [...new Set([...this.#strategies.flatMap(filesOf), resolve(this.#config)])]
  }
}

function shown(path: string): string {
  const fromHere = relative('', path)
  return fromHere.startsWith('..') ? path : fromHere
}

/** A strategy's file and the files that it imports by path; only its own file if that cannot be read. */
function filesOf(strategy: string): readonly string[] {
  try {
    return strategyFiles(strategy, PROJECT_FOLDER).files.map(({ path }) => path)
  } catch {
    return [resolve(strategy)]
  }
}
