import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import {
  constantFunding,
  type FundingRates,
  recordedFunding,
  shownFunding,
  USUAL_FUNDING_HOURS,
} from '../../../../backtest/futures/funding-rates.ts'
import type { FuturesData } from '../../../../backtest/futures/futures-data.ts'
import type { TickData } from '../../../../backtest/ticks/tick-data.ts'
import type { BacktestConfig } from '../../../config/backtest-config.ts'
import { rulesFor } from '../../../config/instrument-rules.ts'
import type { Instrument } from '../../../domain/instrument.ts'
import { utcText } from '../../../domain/market-data/civil-date.ts'
import { UsageError } from '../../../domain/sluice-error.ts'
import { readKlineFile } from '../../../klines/formats/read-kline-file.ts'
import { readFundingFile } from '../../../klines/formats/read-series-file.ts'
import type { KlineColumns } from '../../../klines/kline-columns.ts'
import { KlineStore } from '../../../klines/store/kline-store.ts'
import type { FundingColumns } from '../../../klines/store/table-layout.ts'
import { fundingAdvice } from '../../klines-advice.ts'
import type { BacktestCommandOptions } from '../backtest-command-options.ts'

/** A further input file of a backtest, for its manifest. */
interface FuturesFile {
  readonly path: string
  readonly sha256: string
  /** Number of rows. */
  readonly klines: number
}

/** Futures data of a backtest, and their sources. */
export interface FuturesInput {
  readonly futures: FuturesData | undefined
  readonly files: readonly FuturesFile[]
}

/** Longest missing period at either end, ms. */
const LONGEST_LACK = USUAL_FUNDING_HOURS * 3_600_000
const NOTHING: FuturesInput = { futures: undefined, files: [] }

/**
 * Reads the funding and mark prices that the configuration sets for an instrument; without funding there, that recorded
 * with its ticks. Rejects with `UsageError` for unusable data.
 */
export async function readFuturesInput(
  { instruments }: BacktestConfig,
  { symbol, futures: terms }: Instrument,
  { store, funding: given }: Pick<BacktestCommandOptions, 'store' | 'funding'>,
  { klines, ticks }: { readonly klines: KlineColumns; readonly ticks?: TickData | undefined },
): Promise<FuturesInput> {
  if (terms === undefined) return NOTHING
  const rules = rulesFor(instruments, symbol)
  const { markFile } = rules
  const fundingFile = given === undefined ? rules.fundingFile : undefined
  const fundingVenue = given ?? rules.fundingVenue
  const files: FuturesFile[] = []
  let funding = constantFunding(rules) ?? (ticks?.marks && shownFunding(ticks.marks, rules.fundingHours))
  if (fundingFile !== undefined) {
    const rates = await readFundingFile(fundingFile)
    files.push({ path: fundingFile, sha256: sha256Of([readFileSync(fundingFile)]), klines: rates.length })
    funding = within(rates, klines, fundingFile)
  }
  if (fundingVenue !== undefined) {
    const rates = new KlineStore(store).funding({ venue: fundingVenue, symbol }).read()
    const path = `${fundingVenue} ${symbol} funding`
    files.push({
      path: path.replaceAll('/', '-'),
      sha256: sha256Of([rates.time, rates.rate]),
      klines: rates.length,
    })
    funding = within(rates, klines, `The store ${store}`, (from, to) =>
      fundingAdvice({ store, venue: fundingVenue, symbol, from, to }),
    )
  }
  if (markFile === undefined) return { futures: { funding }, files }
  const mark = await readKlineFile(markFile)
  files.push({ path: markFile, sha256: mark.sha256, klines: mark.columns.length })
  return { futures: { funding, mark: mark.columns }, files }
}

/** Rates that cover all klines: missing ones would silently count as no funding. */
function within(
  rates: FundingColumns,
  { openTime }: KlineColumns,
  name: string,
  adviceFor: (from: number, to: number) => string = () => '',
): FundingRates {
  const [start, end] = [openTime[0] ?? 0, openTime.at(-1) ?? 0]
  const [first, last] = [rates.time[0], rates.time.at(-1)]
  if (
    first !== undefined &&
    last !== undefined &&
    first <= start + LONGEST_LACK &&
    last >= end - LONGEST_LACK
  )
    return recordedFunding(rates, name)
  const has =
    first === undefined || last === undefined ? 'none' : `those from ${utcText(first)} to ${utcText(last)}`
  throw new UsageError(
    `${name} has no funding rates for all of the klines, which are from ${utcText(start)} to ${utcText(end)}; it has ${has}. Get the others, shorten the backtest, or say a fundingRate.${adviceFor(start, end)}`,
  )
}

function sha256Of(parts: readonly NodeJS.ArrayBufferView[]): string {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return hash.digest('hex')
}
