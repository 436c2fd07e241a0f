import type { EngineEvent } from '../domain/engine-event.ts'
import type { ListingChange } from '../market/listing-changes.ts'
import type { MarketReport } from '../market/market-event.ts'

/** The instruments that a stream of market data is about; none for a stream that is about the market as a whole. */
export type SymbolsOfStream = (stream: string) => readonly string[]

/** What is written in the grid of an instrument: an order by the old one may mean another price or quantity. */
const GRID_RULES: ReadonlySet<string> = new Set(['pricePrecision', 'quantityPrecision', 'multiplier'])

/** What the engine has to know of a report about market data; `time` is ms UTC. */
export function consequencesOf(
  report: MarketReport,
  symbolsOf: SymbolsOfStream,
  traded: ReadonlySet<string>,
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
      // Where nothing was traded, nothing is missing.
      return reason === 'absent' ? [] : [{ type: 'klinesMissed', symbol, from, until, time }]
    }
    case 'dropped':
      return report.streams
        .flatMap(symbolsOf)
        .map(symbol => ({ type: 'klinesMissed', symbol, from: time, until: time, time }))
    case 'listingChanged':
      return traded.has(report.symbol) ? listingConsequences(report.symbol, report.change, time) : []
    case 'klineRevised':
    case 'tradesMissed':
      return []
  }
}

function listingConsequences(symbol: string, change: ListingChange, time: number): readonly EngineEvent[] {
  if (change.type !== 'rulesChanged') {
    return [{ type: 'instrumentStatusSeen', symbol, isTradable: change.type === 'listed', time }]
  }
  const status = change.rules.find(({ rule }) => rule === 'isTradable')
  if (status !== undefined)
    return [{ type: 'instrumentStatusSeen', symbol, isTradable: status.after === 'true', time }]
  const moved = change.rules.find(({ rule }) => GRID_RULES.has(rule))
  if (moved === undefined) return []
  const { rule, before, after } = moved
  const reason = `The exchange changed ${rule} of ${symbol} from ${before} to ${after}, so that no order of ours means what it says any more. Close what is open of it by hand at the exchange, stop the bot, and start it with a new journal.`
  return [{ type: 'tradingCommanded', command: 'halt', by: 'invariant', symbol, reason, time }]
}
