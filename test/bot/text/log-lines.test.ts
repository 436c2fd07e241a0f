import { describe, expect, it } from 'vitest'
import { logLineText } from '../../../src/bot/text/log-lines.ts'

const SYMBOL = 'BTC/USDT'
const ENTRY = { symbol: SYMBOL, side: 'buy', purpose: 'entry', size: '0.0836 BTC', clientOrderId: 'abc' }
const HOLD = {
  mode: 'halted',
  source: 'operator',
  reason: 'The operator halted: a drill.',
  since: '2026-01-01T00:00:00.000Z',
}

describe('log lines for people', () => {
  it.each<[string, Record<string, unknown>, string]>([
    [
      'starting',
      { bot: 'paper', venue: 'simulated exchange on http://127.0.0.1:1, generated market at 60x' },
      'Bot paper starts on the simulated exchange on http://127.0.0.1:1, generated market at 60x.',
    ],
    [
      'strategy',
      {
        strategy: 'sma-cross',
        symbol: SYMBOL,
        interval: '1h',
        parameters: { fast: 10, slow: 30 },
        size: { equityFraction: 0.1 },
      },
      'Strategy sma-cross on BTC/USDT 1h: fast 10, slow 30; size 10% of equity',
    ],
    [
      'warmed up',
      { symbol: SYMBOL, interval: '1m', klines: 1030, needed: 30 },
      'BTC/USDT 1m: read 1,030 klines before the first decision; the strategies need 30.',
    ],
    [
      'warmed up',
      { symbol: SYMBOL, interval: '1m', klines: 1 },
      'BTC/USDT 1m: read 1 kline that closed since the last run, for indicators and history; nothing is decided on it.',
    ],
    [
      'account',
      { equity: { USDT: '10012.345' }, balances: { USDT: '5012.345', BTC: '0.0836' } },
      'Account: equity 10,012.35 USDT; balances 5,012.35 USDT, 0.0836 BTC.',
    ],
    ['trading', {}, 'Trading begins.'],
    [
      'kline',
      { symbol: SYMBOL, interval: '1m', close: 59640.5, equity: '10012.345', quote: 'USDT' },
      'BTC/USDT 1m close 59,640.5, equity 10,012.35 USDT',
    ],
    [
      'signal',
      {
        symbol: SYMBOL,
        strategy: 'sma-cross',
        signal: {
          type: 'enter',
          direction: 'long',
          order: { type: 'limit', price: 59000, postOnly: true },
          size: { riskFraction: 0.01, maxEquityFraction: 0.95 },
          stopLoss: 58000,
          takeProfit: { fraction: 0.02 },
          trailingStop: { distance: 1500, activationFraction: 0.01 },
          expiresAfter: { klines: 3 },
        },
      },
      'BTC/USDT signal of sma-cross: enter long, limit order at 59,000, postOnly, size 1% of equity at risk, at most 95% of equity, stop-loss 58,000, take-profit 2% from the entry, trailing stop 1,500 behind the best price, activationFraction 0.01, expires after 3 klines',
    ],
    [
      'signal',
      {
        symbol: SYMBOL,
        strategy: 'resting',
        signal: {
          type: 'enter',
          direction: 'long',
          size: undefined,
          order: { type: 'limit', price: 59000, postOnly: false },
        },
      },
      'BTC/USDT signal of resting: enter long, limit order at 59,000',
    ],
    [
      'signal',
      {
        symbol: SYMBOL,
        strategy: 'bands',
        signal: { type: 'enter', direction: 'long', size: { base: 0.5 }, stopLoss: 58222.348351 },
        on: { base: 'BTC', quote: 'USDT', pricePrecision: 2 },
      },
      // A stop of a long position is put down to its tick, as its order is.
      'BTC/USDT signal of bands: enter long, size 0.5 BTC, stop-loss 58,222.34',
    ],
    [
      'the exchange changed a listing',
      {
        symbol: SYMBOL,
        market: 'spot',
        change: {
          type: 'rulesChanged',
          rules: [
            { rule: 'pricePrecision', before: '2', after: '1' },
            { rule: 'minNotional', before: '5' },
          ],
        },
      },
      'BTC/USDT: the exchange changed the listing on its spot market: pricePrecision from 2 to 1, minNotional from 5 to nothing',
    ],
    [
      'the exchange changed a listing',
      { symbol: SYMBOL, market: 'spot', change: { type: 'delisted' } },
      'BTC/USDT: the exchange changed the listing on its spot market: delisted',
    ],
    [
      'signal',
      { symbol: SYMBOL, strategy: 'dca', signal: { type: 'exit', fraction: 0.5 } },
      'BTC/USDT signal of dca: exit, 50% of the position',
    ],
    [
      'signal',
      {
        symbol: SYMBOL,
        strategy: 'mm',
        signal: { type: 'quotes', quotes: [{ side: 'buy', price: 59000, size: { base: 0.1 } }] },
      },
      'BTC/USDT signal of mm: quote, BUY 0.1 of base at 59,000',
    ],
    [
      'order denied',
      {
        symbol: SYMBOL,
        rule: 'maxNotional',
        limit: '100',
        actual: '200',
        why: 'A notional of 200 USDT is above 100 USDT.',
      },
      'BTC/USDT order denied by a risk check (maximum notional): A notional of 200 USDT is above 100 USDT.',
    ],
    [
      'order open',
      { ...ENTRY, type: 'limit', quantity: '0.083600', price: '59000.0' },
      'BTC/USDT order open: BUY 0.0836 BTC, limit 59,000.0, entry, id abc',
    ],
    [
      'order open',
      { ...ENTRY, side: 'sell', purpose: 'stopLoss', type: 'stop', stopPrice: '58000.0', watchedBy: 'bot' },
      'BTC/USDT order watched by the bot, not at the exchange yet: SELL 0.0836 BTC, stop 58,000.0, stop-loss, id abc',
    ],
    [
      'order canceled',
      { ...ENTRY, side: 'sell', purpose: 'stopLoss', type: 'stop', stopPrice: '58000.0', watchedBy: 'bot' },
      'BTC/USDT order canceled, which never was at the exchange: SELL 0.0836 BTC, stop 58,000.0, stop-loss, id abc',
    ],
    [
      'order open',
      {
        ...ENTRY,
        ...{ side: 'sell', purpose: 'trailingStop', type: 'trailingStop' },
        ...{ callbackRate: '0.0009', activationPrice: '60000.0' },
      },
      'BTC/USDT order open: SELL 0.0836 BTC, trailing by 0.09%, active from 60,000.0, trailing stop, id abc',
    ],
    [
      'signal',
      {
        symbol: SYMBOL,
        strategy: 'trail',
        signal: {
          type: 'enter',
          direction: 'long',
          trailingStop: { callbackRate: 0.0009, activation: 60000 },
        },
      },
      'BTC/USDT signal of trail: enter long, trailing stop 0.09% behind the best price, active from 60,000',
    ],
    [
      'order denied',
      { symbol: SYMBOL, rule: 'tradingState', why: 'Trading is halted. The operator halted.' },
      'BTC/USDT order denied because trading is held back: Trading is halted. The operator halted.',
    ],
    [
      'order denied',
      { symbol: SYMBOL, rule: 'minimumNotional', why: 'The order is too small.' },
      'BTC/USDT order denied by a rule of the exchange (minimum notional): The order is too small.',
    ],
    [
      'a call to the exchange failed again',
      {
        ...{ what: 'klines', times: 1057, reason: 'It was away.' },
        ...{ since: '2024-01-01T00:00:00.000Z', latest: '2024-01-01T00:00:44.000Z' },
      },
      'A call to the exchange has failed 1,057 times since 2024-01-01 00:00:00Z (klines), the last time at 2024-01-01 00:00:44Z: It was away.',
    ],
    [
      'a call to the exchange failed no more',
      { what: 'klines', times: 12, since: '2024-01-01T00:00:00.000Z', quietMs: 120_000 },
      'No call to the exchange (klines) has failed for 2 min, after 12 failures since 2024-01-01 00:00:00Z.',
    ],
    [
      'a call to the exchange failed',
      { what: 'reconciliation', reason: 'It was away.' },
      'A call to the exchange failed (comparing orders, trades and balances): It was away.',
    ],
    [
      'a strategy goes on with other parameters',
      {
        ...{ file: 'strategies/a.ts', symbol: SYMBOL, interval: '1m' },
        changes: [
          { name: 'slow', before: 30, now: 20 },
          { name: 'fast', before: 5 },
          { name: 'size', before: { quote: 1000 }, now: { equityFraction: 0.5 } },
        ],
      },
      'strategies/a.ts on BTC/USDT 1m goes on with another configuration: slow was 30, is 20; fast was 5, is the default; size was 1,000 of quote, is 50% of equity. Orders that are open stay as they are, protective orders among them, until the strategy decides on them.',
    ],
    [
      'order rejected',
      { ...ENTRY, side: 'sell', purpose: 'stopLoss', type: 'market', reason: 'Insufficient balance.' },
      'BTC/USDT order rejected: SELL 0.0836 BTC, market, stop-loss, id abc (Insufficient balance.)',
    ],
    [
      'order partiallyFilled',
      { ...ENTRY, book: 'BTC/USDT#grid', type: 'stopLimit', stopPrice: '60000.0', price: '60010.0' },
      'BTC/USDT#grid order partially filled: BUY 0.0836 BTC, stop 60,000.0, limit 60,010.0, entry, id abc',
    ],
    [
      'fill',
      { ...ENTRY, price: '59640.0', notional: '4985.904 USDT', fee: '2.991542 USDT', liquidity: 'taker' },
      'BTC/USDT fill: BUY 0.0836 BTC at 59,640.0 for 4,985.90 USDT, fee 2.99 USDT (taker), id abc',
    ],
    [
      'fill',
      { ...ENTRY, price: '59640.0', notional: '4985.904 USDT', fee: '0.0000836 BTC', liquidity: 'maker' },
      'BTC/USDT fill: BUY 0.0836 BTC at 59,640.0 for 4,985.90 USDT, fee 0.0000836 BTC (maker), id abc',
    ],
    [
      'round trip closed',
      {
        symbol: SYMBOL,
        direction: 'short',
        size: '836 contracts',
        entryPrice: '60000.0',
        exitPrice: '59640.0',
        pnl: '24.096 USDT',
        rate: '0.004804',
        fees: '6 USDT',
        entryReason: 'entry',
        exitReason: 'takeProfit',
      },
      'BTC/USDT round trip closed by take-profit: SHORT 836 contracts from 60,000.0 to 59,640.0, +24.10 USDT (+0.48%) after fees of 6.00 USDT',
    ],
    [
      'funding',
      { symbol: SYMBOL, book: SYMBOL, paid: '-0.4986 USDT', rate: '-0.0001' },
      'BTC/USDT funding at -0.01%: received 0.50 USDT',
    ],
    [
      'position liquidated',
      { symbol: SYMBOL, book: SYMBOL, direction: 'long', size: '836 contracts', price: '53800.0' },
      'BTC/USDT LIQUIDATED by the exchange: LONG 836 contracts at 53,800.0',
    ],
    [
      'round trip closed',
      {
        ...{ symbol: SYMBOL, direction: 'long', size: '836 contracts', pnl: '-3 USDT', fees: '6 USDT' },
        ...{ entryPrice: '60000.0', exitPrice: '53800.0', exitReason: 'operator' },
      },
      "BTC/USDT round trip closed by operator's command: LONG 836 contracts from 60,000.0 to 53,800.0, -3.00 USDT after fees of 6.00 USDT",
    ],
    [
      'restored from the journal',
      { orders: 1, entries: 302, snapshot: 0 },
      'Restored from the journal: 1 working order, 302 entries after the snapshot at entry 0.',
    ],
    [
      'left with unconfirmed orders',
      { orders: 1 },
      'The bot ended although the exchange has not confirmed the end of 1 order; look at its open orders.',
    ],
    [
      'positions were not closed before the end',
      { held: 'long 0.5 BTC of BTC/USDT', why: 'The exchange refused it.' },
      'The bot ended before what it holds was closed (long 0.5 BTC of BTC/USDT): The exchange refused it.',
    ],
    [
      'exit sent again',
      {
        ...{ symbol: SYMBOL, side: 'sell', purpose: 'exit', size: '2 BTC', total: '5 BTC' },
        clientOrderId: 'abc',
      },
      'BTC/USDT exit is sent again: SELL 2 BTC, the rest of 5 BTC (id abc).',
    ],
    [
      'waiting exit replaced',
      { symbol: SYMBOL, strategy: 'cross', side: 'sell', size: '2 BTC', by: 'enter' },
      'BTC/USDT exit of 2 BTC is not sent again: cross has returned an entry in the direction of the position, which stays open.',
    ],
    [
      'waiting exit replaced',
      { symbol: SYMBOL, strategy: 'cross', side: 'sell', size: '2 BTC', by: 'target' },
      'BTC/USDT exit of 2 BTC is not sent again: cross has returned a target, which takes its place.',
    ],
    [
      'a closing goes on',
      { held: 'long 0.5 BTC of BTC/USDT' },
      'The closing that the last session began and did not end goes on: long 0.5 BTC of BTC/USDT.',
    ],
    [
      'little time to leave',
      { stopWithinMs: 30_000, doubtMs: 35_000 },
      'execution.onStop: flatten has 30 s (execution.stopWithinMs). A closing order without an answer is followed by another one only after 35 s (venue.recvWindowMs and execution.settlementMarginMs), so that one lost answer would leave the position open; give it more time.',
    ],
    [
      'position closed outside the bot',
      { symbol: SYMBOL, book: SYMBOL, direction: 'long', size: '836 contracts', price: '53800.0' },
      'BTC/USDT closed outside the bot, by hand or by the exchange: LONG 836 contracts at 53,800.0, which is what it brought',
    ],
    [
      'position closed outside the bot',
      { book: SYMBOL, direction: 'long', size: '0.4 BTC', price: '53800.0', priceAssumed: true },
      'BTC/USDT closed outside the bot, by hand or by the exchange: LONG 0.4 BTC; it counts as closed at 53,800.0, because nothing tells what it brought',
    ],
    [
      'a strategy that had stopped decides again',
      { book: SYMBOL, halted: 'The exchange has 14 contracts of E-BTC-USDT long, our books 10.' },
      'The strategy of BTC/USDT decided nothing more before this start, because its instrument was halted; it decides again. The reason was: The exchange has 14 contracts of E-BTC-USDT long, our books 10.',
    ],
    [
      'a strategy that had stopped decides again',
      { book: SYMBOL },
      'The strategy of BTC/USDT had stopped (it threw, or had ended) before this start; it decides again.',
    ],
    [
      'entry price adopted from the exchange',
      {
        ...{ symbol: SYMBOL, direction: 'long', size: '503 contracts' },
        ...{ exchange: '59603.738', ledger: '59606.8' },
      },
      "BTC/USDT LONG 503 contracts: others traded this contract on the account, so that the exchange's average entry price is 59,603.738, where the ledger had 59,606.8; adopted the exchange's value, profits count from it.",
    ],
    [
      'foreign trade on the account',
      { symbol: SYMBOL, id: '7', side: 'sell', price: '60000', quantity: '0.02', size: '0.02 BTC' },
      'BTC/USDT was traded on this account by an order that is not of this bot: SELL 0.02 BTC at 60,000 (trade 7).',
    ],
    [
      'the exchange holds less of a position than the ledger',
      { symbol: SYMBOL, direction: 'long', quantity: '836', size: '836 contracts', cause: 'unknown' },
      'BTC/USDT: LONG 836 contracts closed without an order of this bot: neither a trade of others nor the loss of a liquidation shows by whom.',
    ],
    [
      'the exchange holds less of a position than the ledger',
      { symbol: SYMBOL, direction: 'long', quantity: '0.02000', size: '0.02 BTC', cause: 'trades' },
      'BTC/USDT: LONG 0.02 BTC closed without an order of this bot: others traded on this account.',
    ],
    [
      'the exchange holds less of a position than the ledger',
      { symbol: SYMBOL, direction: 'long', size: '4 contracts', cause: 'trades', derived: true },
      'BTC/USDT: LONG 4 contracts closed without an order of this bot: others traded on this account. Its price is derived from the money that it brought, with the fee inside.',
    ],
    [
      'round trip closed',
      {
        ...{ symbol: SYMBOL, direction: 'long', size: '836 contracts', pnl: '-3 USDT', fees: '6 USDT' },
        ...{ entryPrice: '60000.0', exitPrice: '53800.0', exitReason: 'outsideClose' },
      },
      'BTC/USDT round trip closed outside the bot: LONG 836 contracts from 60,000.0 to 53,800.0, -3.00 USDT after fees of 6.00 USDT',
    ],
    [
      'trading halted',
      { scope: 'account', before: 'active', mode: 'halted', holds: [HOLD] },
      'Trading of the account is halted. The operator halted: a drill.',
    ],
    [
      'trading reducing',
      {
        scope: SYMBOL,
        holds: [{ ...HOLD, reason: 'The operator paused.', until: '2026-01-01T00:30:00.000Z' }],
      },
      'Trading of BTC/USDT is reducing. The operator paused. (until 2026-01-01 00:30:00Z)',
    ],
    ['trading active', { scope: 'account', holds: [] }, 'The holds on trading of the account are lifted.'],
    ['shutting down', { reason: 'SIGHUP' }, 'The bot shuts down: SIGHUP.'],
    [
      'operator command',
      { command: 'pause', symbol: SYMBOL, forMs: 1_800_000, reason: 'news' },
      'Operator command: pause BTC/USDT for 30 min: news',
    ],
    [
      'a call to the exchange failed',
      { what: 'klines BTC/USDT', reason: 'The exchange did not answer.' },
      'A call to the exchange failed (klines BTC/USDT): The exchange did not answer.',
    ],
    [
      'market data are stale',
      { stream: 'ticker BTC/USDT', ageMs: 31_200 },
      'Market data are stale: nothing new of ticker BTC/USDT for 31 s.',
    ],
    [
      'balance adopted from the exchange',
      { asset: 'USDT', exchange: '9000', ledger: '10000', cause: 'transfer' },
      "USDT balance: the exchange has 9,000, the ledger had 10,000; adopted the exchange's value (cause: transfer).",
    ],
    [
      'the account holds less than our positions, and no sale is listed yet',
      { asset: 'BTC', held: '10.09', exchange: '6.09', until: '2026-01-01T00:01:30Z' },
      'The account holds 6.09 BTC, less than the 10.09 of our positions, and the exchange lists no sale of them yet. Books and positions stay as they are meanwhile; markets of BTC are halted at 2026-01-01 00:01:30Z unless a sale explains it until then.',
    ],
    [
      'leftover order canceled',
      { symbol: SYMBOL, orderId: '17', clientOrderId: 'abc' },
      'BTC/USDT: Canceled an order under the name of this bot that this run has not placed: an earlier run left it open, or another process trades under this name (order 17, id abc).',
    ],
    [
      'another process trades under the name of this bot',
      { symbol: SYMBOL, orderId: '17', clientOrderId: 'abc' },
      'BTC/USDT: Another process trades under the name of this bot; its order is left alone (order 17, id abc).',
    ],
    [
      'the exchange revised a kline',
      {
        symbol: SYMBOL,
        interval: '1m',
        openTime: '2026-01-01T00:00:00.000Z',
        before: { close: 100 },
        after: { close: 1100.5 },
      },
      'BTC/USDT 1m: the exchange revised the kline of 2026-01-01 00:00:00Z, close 100 to 1,100.5; strategies keep the first.',
    ],
    [
      'the exchange gives fewer klines than the strategy needs: it decides once it has seen them',
      { symbol: SYMBOL, interval: '1d', klines: 80, needed: 1200 },
      'BTC/USDT 1d: the exchange gives 80 klines, but the strategy needs 1,200 to warm up; it decides once it has seen them.',
    ],
    [
      'the journal is upgraded',
      { file: 'data/a.journal', from: '1', copy: 'data/a.journal.version-1' },
      'Upgraded the journal data/a.journal from version 1; as it was it is kept in data/a.journal.version-1',
    ],
    [
      'other users of this machine can read the journal',
      { file: 'data/a.journal', advice: 'chmod 600 data/a.journal' },
      'Other users of this machine can read or write the journal data/a.journal; run: chmod 600 data/a.journal',
    ],
    ['a message without words', { count: 2, name: 'x' }, 'A message without words: count 2, name x'],
    [
      "the exchange's list of instruments",
      { why: 'It lists BTC/USDT with another fee.' },
      "The exchange's list of instruments: It lists BTC/USDT with another fee.",
    ],
  ])('%s', (message, fields, expected) => {
    expect(logLineText(message, fields)).toBe(expected)
  })
})
