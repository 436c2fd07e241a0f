import { createHash } from 'node:crypto'
import { canonicalJson } from '../../../backtest/manifest/canonical-json.ts'
import { type Manifest, sortedByName } from '../../../backtest/manifest/manifest.ts'
import type { BacktestReport } from '../../../backtest/report/backtest-report.ts'
import type { ParameterSet } from '../../../backtest/trials/trial.ts'
import { columnsHash } from '../../klines/columns-hash.ts'
import type { TimeSpan } from '../../klines/slice-klines.ts'
import type { StudyTrial, TrialIdentity } from '../../studies/study-trial.ts'

/** A backtest as far as it tells its trials from those of others. */
export interface IdentifiedBacktest extends Pick<BacktestReport, 'strategy' | 'markets'> {
  readonly manifest: Manifest
  /** True if recorded trades were played. */
  readonly playsTrades: boolean
}

/** The identity of the trials of a backtest, or of a span of it. */
export function identityOf(backtest: IdentifiedBacktest, span?: TimeSpan): TrialIdentity {
  const { strategy, manifest } = backtest
  const { symbol, interval, code, from, to } = manifest
  return {
    ...{ strategy, symbol, interval, code },
    data: dataHash(backtest),
    config: configHash(manifest),
    from: span?.from ?? from,
    to: span?.to ?? to,
    isSpan: span !== undefined,
  }
}

/** Hash of the klines that are played, wherever they come from, and of all further data. */
function dataHash({ markets, manifest: { data, detail }, playsTrades }: IdentifiedBacktest): string {
  // The first source of a backtest of one market is that of its klines.
  const further = markets.length === 1 && !playsTrades ? data.slice(1) : data
  return hashOf({
    klines: markets.map(({ instrument: { symbol }, interval, klines }) => [
      symbol,
      interval,
      columnsHash(klines),
    ]),
    further: further.map(({ sha256 }) => sha256),
    detail: detail && [detail.sha256, detail.interval],
  })
}

/** Hash of the settings, and of strategies and sizes of several markets. */
function configHash({ config, inputs: { roles }, markets }: Manifest): string {
  return hashOf({
    config,
    roles,
    markets: markets?.map(({ strategy, symbol, interval, size, role }) => ({
      ...{ strategy, symbol, interval, size, role },
    })),
  })
}

/** The key of a trial: that of another one with the same code, data, configuration, span and parameters. */
export function trialKey(identity: TrialIdentity, parameters: ParameterSet): string {
  const { code, data, config, from, to, isSpan } = identity
  return hashOf({ code, data, config, span: isSpan ? [from, to] : undefined, parameters })
}

/** A trial with its key; parameters are sorted by name, so that equal trials are kept alike, whoever ran them. */
export function studyTrial(
  identity: TrialIdentity,
  trial: Omit<StudyTrial, keyof TrialIdentity | 'key'>,
): StudyTrial {
  const parameters = sortedByName(trial.parameters)
  return { ...identity, ...trial, parameters, key: trialKey(identity, parameters) }
}

/** SHA-256 of plain data, hexadecimal. */
export function hashOf(data: unknown): string {
  return createHash('sha256').update(canonicalJson(data)).digest('hex')
}
