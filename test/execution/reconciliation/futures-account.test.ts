import { expect, it } from 'vitest'
import { amountOf } from '../../../src/domain/numbers/amount.ts'
import { Decimal } from '../../../src/domain/numbers/decimal.ts'
import { isNamed, readWallets } from '../../../src/execution/reconciliation/futures-account.ts'

const named = (contractName: string) => ({ contractName, quote: 'USDT', marginMode: 'cross' }) as const

it.each([
  ['E-BTC-USDT', 'E-BTC-USDT', true],
  ['E-BTC-USDT', 'e_btc/usdt', true],
  ['E-BTC-USDT', 'BTCUSDT', true],
  ['E-BTC-USDT', 'btc-usdt', true],
  ['E-BTC-USDT', 'ETHUSDT', false],
  ['E-BTC-USDT', 'BTC', false],
  ['E-BTC-USDT', 'USDT', false],
  ['E-BTC-USDT', undefined, false],
  ['BTCUSDT', 'BTC-USDT', true],
  ['BTCUSDT', undefined, false],
])('a transaction of contract %s may be written %s: %s', (contractName, written, expected) => {
  expect(isNamed(named(contractName), written)).toBe(expected)
})

it('all money of a coin is what is free, in orders and in positions, whatever its name is written like', async () => {
  const coin = (marginCoin: string, balance: string, orderMargin: string, isolatedMargin: string) => ({
    ...{ marginCoin, contracts: [], balance: new Decimal(balance), orderMargin: new Decimal(orderMargin) },
    isolatedMargin: new Decimal(isolatedMargin),
  })
  const account = async () => [coin('usdt', '1', '0.2', '0.03'), coin('USDC', '5', '0', '0')]
  expect(await readWallets({ account } as unknown as Parameters<typeof readWallets>[0])).toEqual(
    new Map([
      ['USDT', amountOf('1.23')],
      ['USDC', amountOf('5')],
    ]),
  )
})
