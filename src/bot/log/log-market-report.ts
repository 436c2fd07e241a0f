import type { Logger } from 'pino'
import { utcText } from '../../domain/market-data/civil-date.ts'
import type { MarketReport } from '../../market/market-event.ts'

/** Logs reports of the market streams. */
export function logMarketReport(log: Logger, report: MarketReport): void {
  switch (report.type) {
    case 'stale': {
      const { stream, ageMs } = report
      log.warn({ stream, ageMs }, 'market data are stale')
      break
    }
    case 'fresh': {
      const { stream, ageMs } = report
      log.warn({ stream, ageMs }, 'market data are fresh again')
      break
    }
    case 'klineRevised': {
      const { symbol, interval, before, kline } = report
      const openTime = utcText(kline.openTime)
      const fields = { at: openTime, symbol, interval, openTime, before, after: kline }
      log.warn(fields, 'the exchange revised a kline')
      break
    }
    case 'klinesMissing': {
      const { symbol, interval, from, until, reason } = report
      log.warn({ symbol, interval, from: utcText(from), until: utcText(until), reason }, 'klines are missing')
      break
    }
    case 'tradesMissed': {
      const { symbol, after, before } = report
      log.warn({ symbol, after: after.id, before: before.id }, 'trades were missed')
      break
    }
    case 'listingChanged': {
      const { market, symbol, change } = report
      log.warn({ market, symbol, change }, 'the exchange changed a listing')
      break
    }
    case 'refused': {
      const { stream, reason } = report
      log.warn({ stream, reason }, 'market data refused')
    }
  }
}
