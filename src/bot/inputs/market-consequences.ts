import type { EngineEvent } from '../../domain/events/engine-event.ts'
import type { ListingChange } from '../../market/listing-changes.ts'
import type { MarketReport } from '../../market/market-event.ts'
import type { GridChanges } from './grid-changes.ts'

/** The instruments that a stream of market data is about; none for a stream that is about the market as a whole. */
export type SymbolsOfStream = (stream: string) => readonly string[]

/** Events of the engine for a report about market data; `time` is ms UTC. */
export function consequencesOf(
  report: MarketReport,
  symbolsOf: SymbolsOfStream,
  traded: ReadonlySet<string>,
  grids: GridChanges,
  time: number,
): readonly EngineEvent[] {
  switch (report.type) {
    case 'stale': {
      const { stream, ageMs } = report
      return symbolsOf(stream).map(symbol => ({ type: 'dataStale', symbol, stream, ageMs, time }))
    }
    case 'fresh': {
      const { stream } = report
      return symbolsOf(stream).map(symbol => ({ type: 'dataFresh', symbol, stream, time }))
    }
    case 'klinesMissing': {
      const { symbol, from, until, reason } = report
      // Without trades, no kline is missing.
      return reason === 'absent' ? [] : [{ type: 'klinesMissed', symbol, from, until, time }]
    }
    case 'listingChanged':
      return traded.has(report.symbol) ? listingConsequences(report.symbol, report.change, grids, time) : []
    case 'klineRevised':
    case 'tradesMissed':
    case 'refused':
      return []
  }
}

function listingConsequences(
  symbol: string,
  change: ListingChange,
  grids: GridChanges,
  time: number,
): readonly EngineEvent[] {
  if (change.type !== 'rulesChanged') {
    return [{ type: 'instrumentStatusSeen', symbol, isTradable: change.type === 'listed', time }]
  }
  const status = change.rules.find(({ rule }) => rule === 'isTradable')
  const seen: readonly EngineEvent[] =
    status === undefined
      ? []
      : [{ type: 'instrumentStatusSeen', symbol, isTradable: status.after === 'true', time }]
  return [...seen, ...grids.commandsOf(symbol, change.rules, time)]
}
