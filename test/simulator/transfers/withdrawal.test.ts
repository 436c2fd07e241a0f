import { describe, expect, it } from 'vitest'
import type { SimulatorConfigInput } from '../../../src/simulator/simulator-config.ts'
import { type Answer, ExchangeCaller, flatMarket, replayOf, START } from '../exchange-caller.ts'

const DAY = 86_400_000
const SCHEDULE = { approvalMs: 1000, paymentMs: 2000, completionMs: 3000 }

function open(withdrawals: SimulatorConfigInput['withdrawals'] = {}): ExchangeCaller {
  return ExchangeCaller.open(
    replayOf(flatMarket(100), { withdrawals: { fees: { USDT: '1.5' }, ...SCHEDULE, ...withdrawals } }),
  )
}

function apply(caller: ExchangeCaller, amount: string, more: object = {}): Answer {
  const body = { withdrawOrderId: 'mine', amount, address: 'somewhere', label: '', symbol: 'TUSDT', ...more }
  return caller.post('/sapi/v1/withdraw/apply', body)
}

function query(caller: ExchangeCaller, fields: object = {}) {
  return caller.post('/sapi/v1/withdraw/query', fields).json.data
}

describe('a withdrawal', () => {
  it('locks its amount and its fee, and goes from unapproved over approved and payment to completed', () => {
    const caller = open()
    expect(apply(caller, '20').json).toEqual({ code: '0', msg: 'success', data: { id: 700_001 } })
    const seen = [0, 999, 1000, 2999, 3000, 5999, 6000].map(offset => {
      caller.now = START + offset
      return [query(caller).withdrawList[0].status, ...caller.balance('USDT')]
    })
    expect(seen).toEqual([
      [0, '9978.5', '21.5'],
      [0, '9978.5', '21.5'],
      [1, '9978.5', '21.5'],
      [1, '9978.5', '21.5'],
      [3, '9978.5', '21.5'],
      [3, '9978.5', '21.5'],
      [5, '9978.5', '0'],
    ])
  })

  it('is on record with the documented fields', () => {
    const caller = open()
    apply(caller, '19.99999')
    const [fresh] = query(caller).withdrawList
    expect([fresh.txId, fresh.applyTime]).toEqual(['', null])
    caller.now = START + 60_000
    expect(query(caller)).toEqual({
      withdrawList: [
        {
          symbol: 'TUSDT',
          amount: 19.99999,
          address: 'somewhere',
          withdrawOrderId: 'mine',
          fee: 1.5,
          ctime: START,
          txId: '700001_20240101000003',
          id: 700_001,
          applyTime: START + 3000,
          status: 5,
          info: '',
        },
      ],
      count: 1,
    })
  })

  it.each([
    ['rejected', 2, 1000],
    ['revoked', 6, 1000],
    ['failed', 4, 6000],
  ] as const)('that is %s ends with status %i and gives everything back', (ends, status, after) => {
    const caller = open({ exceptions: [{ ends, above: '10', info: 'too much' }] })
    apply(caller, '10.01')
    apply(caller, '10', { withdrawOrderId: 'small' })
    caller.now = START + after - 1
    expect(caller.balance('USDT')).toEqual(['9976.99', '23.01'])
    caller.now = START + 6000
    const { withdrawList } = query(caller)
    expect(withdrawList.map((entry: Record<string, unknown>) => [entry.status, entry.info])).toEqual([
      [5, ''],
      [status, 'too much'],
    ])
    expect(caller.balance('USDT')).toEqual(['9988.5', '0'])
  })

  it('goes wrong for the asset and the address that are named', () => {
    const caller = open({ exceptions: [{ ends: 'rejected', asset: 'USDT', address: 'bad' }] })
    apply(caller, '5', { withdrawOrderId: 'a', address: 'bad' })
    apply(caller, '5', { withdrawOrderId: 'b' })
    apply(caller, '5', { withdrawOrderId: 'c', address: 'bad', symbol: 'BTC' })
    caller.now = START + 1000
    const states = query(caller).withdrawList.map(({ status }: { status: number }) => status)
    expect(states).toEqual([1, 1, 2])
  })

  it.each([
    ['more than is free with its fee', '9998.51', {}, '-2017'],
    ['all that is free with its fee', '9998.5', {}, '0'],
    ['a coin that is not listed', '1', { symbol: 'DOGE' }, '-1121'],
    ['no symbol: the default one', '1', { symbol: undefined }, '0'],
    ['no address', '1', { address: '' }, '-1102'],
    ['no id of its own', '1', { withdrawOrderId: undefined }, '-1102'],
    ['an amount in words', 'one', {}, '-1102'],
    ['less than the minimum', '0.99', {}, '-1136'],
    ['more than the maximum', '1.01', { symbol: 'BTC' }, '-1102'],
  ])('of %s gets code %s', (_fact, amount, more, code) => {
    const caller = open({ minima: { USDT: '1' }, maxima: { BTC: '1' } })
    expect(apply(caller, amount, more).json.code).toBe(code)
  })

  it('cannot use its id again, but another user can', () => {
    const caller = open()
    expect([apply(caller, '1').json.code, apply(caller, '1').json.code]).toEqual(['0', '-1102'])
    expect(apply(caller.second(), '1').json.code).toBe('0')
    expect(caller.balance('USDT')).toEqual(['9997.5', '2.5'])
  })
})

describe('the record of withdrawals', () => {
  /** Withdrawal n on day n, 1 to 120. */
  function busy(): ExchangeCaller {
    const caller = open()
    for (let day = 1; day <= 120; day++) {
      caller.now = START + day * DAY
      apply(caller, '1', { withdrawOrderId: `n${day}`, symbol: day === 120 ? 'BTC' : 'EUSDT' })
    }
    return caller
  }
  const ids = ({ withdrawList }: { withdrawList: { withdrawOrderId: string }[] }) =>
    withdrawList.map(({ withdrawOrderId }) => withdrawOrderId)

  it('reaches back 90 days by default, newest first', () => {
    const page = query(busy())
    expect([page.count, ids(page).at(0), ids(page).at(-1)]).toEqual([91, 'n120', 'n30'])
  })

  it.each([
    ['page by page', { startTime: String(START), page: '2' }, 120, 20],
    ['one by the platform’s id', { withdrawId: '700050' }, 1, 1],
    ['one by the own id', { withdrawOrderId: 'n119' }, 1, 1],
    ['by the name on the chain', { symbol: 'EUSDT' }, 90, 90],
    ['by the name of the asset', { symbol: 'BTC' }, 1, 1],
    ['none of another chain', { symbol: 'TUSDT' }, 0, 0],
    ['in a window', { startTime: START + DAY, endTime: String(START + 3 * DAY) }, 3, 3],
  ])('is listed %s', (_fact, fields, count, length) => {
    const page = query(busy(), fields)
    expect([page.count, page.withdrawList.length]).toEqual([count, length])
  })
})
