import { describe, expect, it } from 'vitest'
import { positionsIn } from '../../../src/execution/reconciliation/futures-account.ts'
import { MARGIN_BTC } from '../../domain/instruments.ts'
import { scriptedExchange } from '../../exchange/call/scripted-exchange.ts'

const HELD = {
  ...{ contractName: 'E-BTC-USDT', instrument: { ...MARGIN_BTC, quantityPrecision: 0 }, quote: 'USDT' },
  marginMode: 'cross',
} as const

async function accountWith(contractName: string) {
  const odd = { id: 5, side: 'SELL', positionType: 1, leverageLevel: 20, volume: 'many', holdAmount: 1 }
  const wallet = { marginCoin: 'USDT', accountNormal: 1, accountLock: 0, partPositionNormal: 0 }
  const positionVos = [{ contractName, positions: [odd] }]
  return scriptedExchange([JSON.stringify({ account: [{ ...wallet, positionVos }] })]).futures.account()
}

describe('a position that cannot be read', () => {
  it('does not matter in a contract that is not traded', async () => {
    expect(positionsIn(await accountWith('E-DOGE-USDT'), [HELD])).toEqual([])
  })

  it('is not taken for none in a contract that is traded', async () => {
    const account = await accountWith('E-BTC-USDT')
    expect(() => positionsIn(account, [HELD])).toThrow(
      "The exchange's position of E-BTC-USDT cannot be read: volume must be a decimal number. It is read again.",
    )
  })
})
