import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createSystemClock } from '../../../src/exchange/clock/system-clock.ts'
import { startExchangeServer } from '../../../src/simulator/server/exchange-server.ts'
import { createSimulatedExchange } from '../../../src/simulator/simulated-exchange.ts'
import { TEST_ACCOUNT } from '../../../src/simulator/simulator-config.ts'

/** About as long as the answer to an order. */
const CONSTANT = JSON.stringify({
  symbol: 'BTCUSDT',
  orderId: '1900000000000000001',
  padding: 'x'.repeat(200),
})

// A process of its own, started by http-orders.ts: a simulated exchange, or a server that answers a constant.
process.send?.(process.argv[2] === 'bare' ? await bareServer() : await exchangeServer())

async function exchangeServer(): Promise<string> {
  const exchange = createSimulatedExchange({
    listings: [{ symbol: 'BTC/USDT', market: { type: 'generated', historyKlines: 10 } }],
    // A thousand times what the interface allows one account.
    limits: { areEnforced: false },
    accounts: [{ ...TEST_ACCOUNT, balances: { USDT: '100000000' } }],
  })
  const { url } = await startExchangeServer({ exchange, clock: createSystemClock() })
  return url
}

function bareServer(): Promise<string> {
  const server = createServer((request, response) => {
    request.on('data', () => undefined)
    request.on('end', () => response.writeHead(200, { 'content-type': 'application/json' }).end(CONSTANT))
  })
  return new Promise(resolve => {
    server.listen(0, '127.0.0.1', () => resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)) // a TCP server
  })
}
