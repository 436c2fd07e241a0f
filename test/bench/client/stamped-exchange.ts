import { subscribe } from 'node:diagnostics_channel'
import { startExchangeServer } from '../../../src/simulator/server/exchange-server.ts'
import { createSimulatedExchange } from '../../../src/simulator/simulated-exchange.ts'
import { JumpingClock } from './jumping-clock.ts'
import { BARE_ACCOUNT, BOT_ACCOUNT, START, symbolsOf } from './latency-world.ts'

/** What the other process asks: to set the clock forward, and when which klines were answered since the last time. */
type Question = { readonly jumpTo: number } | 'stamps'

const clock = new JumpingClock(START)
const exchange = createSimulatedExchange({
  listings: symbolsOf(Number(process.argv[2])).map(symbol => ({
    symbol,
    market: { type: 'generated', historyKlines: 10 },
  })),
  accounts: [BOT_ACCOUNT, BARE_ACCOUNT],
  limits: { areEnforced: false },
  keptInputs: 0,
})
const { url } = await startExchangeServer({ exchange, clock })
const stamps: [symbol: string, ms: number][] = []

// Once an answer is with the operating system, it has arrived: what it waits there, the one who reads it is late.
subscribe('http.server.response.finish', message => {
  const { request } = message as { readonly request: { readonly url: string } } // as Node documents the channel
  const asked = new URL(request.url, url)
  if (asked.pathname.endsWith('/klines'))
    stamps.push([asked.searchParams.get('symbol') ?? '', Number(process.hrtime.bigint()) / 1e6])
})
process.on('message', (question: Question) => {
  if (question === 'stamps') process.send?.(stamps.splice(0))
  else {
    clock.jumpTo(question.jumpTo)
    exchange.handle({ method: 'GET', target: '/sapi/v2/time', headers: {}, body: '' }, clock.now())
    process.send?.('jumped')
  }
})
process.send?.(url)
