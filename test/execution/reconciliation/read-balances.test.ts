import { describe, expect, it } from 'vitest'
import { amountOf } from '../../../src/domain/numbers/amount.ts'
import { readBalances } from '../../../src/execution/reconciliation/read-balances.ts'
import { rejectionOf, scriptedExchange } from '../../exchange/call/scripted-exchange.ts'

const LISTED = JSON.stringify({
  balances: [
    { asset: 'usdt', free: '90.5', locked: 9.5 },
    { asset: 'ODD', free: 'much', locked: '0' },
  ],
})

describe('balances of which one cannot be read', () => {
  it('are those of the others, if that asset is not traded', async () => {
    const balances = await readBalances(scriptedExchange([LISTED]).account, new Set(['BTC', 'USDT']))
    expect(balances).toEqual(new Map([['USDT', amountOf('100')]]))
  })

  it('are none, if that asset is traded', async () => {
    const error = await rejectionOf(
      readBalances(scriptedExchange([LISTED]).account, new Set(['ODD', 'USDT'])),
    )
    expect(String(error)).toContain(
      "The exchange's balance of ODD cannot be read: free must be a decimal number. It is read again.",
    )
  })

  it('are refused where nobody says which are needed', async () => {
    const error = await rejectionOf(scriptedExchange([LISTED]).account.balances())
    expect(error).toMatchObject({ code: 'MALFORMED_RESPONSE' })
    expect(String(error)).toContain('the balance of ODD: free must be a decimal number.')
  })
})
