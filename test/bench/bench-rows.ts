import { backtestCold } from './backtests/backtest-cold.ts'
import { backtestCommand } from './backtests/backtest-command.ts'
import { backtestWarm } from './backtests/backtest-warm.ts'
import { smaCrossStreamsWarm } from './backtests/sma-cross-streams-warm.ts'
import { smaCrossWarm } from './backtests/sma-cross-warm.ts'
import { sweepWarm } from './backtests/sweep-warm.ts'
import { ticksWarm } from './backtests/ticks-warm.ts'
import type { BenchRow } from './bench-row.ts'
import { clientHttp } from './client/client-http.ts'
import { clientOrder } from './client/client-order.ts'
import { depthParsing } from './client/depth-parsing.ts'
import { httpOrders } from './client/http-orders.ts'
import { marketDelivery } from './client/market-delivery.ts'
import { orderLatency } from './client/order-latency.ts'
import { watchedLatency } from './client/watched-latency.ts'
import { matchingSpeed, matchingSpeedAtP99 } from './exchange/matching-speed.ts'
import { journalWrites } from './journal/journal-writes.ts'
import { klineImport } from './klines/kline-import.ts'
import { klineImportMemory } from './klines/kline-import-memory.ts'
import { klineStoreLoad } from './klines/kline-store-load.ts'
import { klineStoreMemory } from './klines/kline-store-memory.ts'
import { simulatedDay } from './long/simulated-day.ts'

/** The rows of `npm run bench`. */
export function benchRows(): readonly BenchRow[] {
  return [
    smaCrossWarm(),
    smaCrossStreamsWarm(),
    backtestWarm('few'),
    backtestWarm('many'),
    backtestWarm('brackets'),
    backtestWarm('instruments'),
    ...sweepWarm(),
    ...ticksWarm(),
    backtestCold('few'),
    backtestCold('many'),
    backtestCold('brackets'),
    backtestCold('instruments'),
    backtestCommand(200, 1000),
    backtestCommand(10, 30),
    clientOrder(),
    depthParsing(),
    clientHttp(),
    matchingSpeed(),
    matchingSpeedAtP99(),
    httpOrders(),
    simulatedDay(),
    ...marketDelivery(),
    ...orderLatency(),
    ...watchedLatency(),
    ...journalWrites(),
    klineStoreLoad(),
    klineStoreMemory(),
    klineImport(),
    klineImportMemory(),
  ]
}
