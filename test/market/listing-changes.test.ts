import { describe, expect, it } from 'vitest'
import { Decimal } from '../../src/domain/numbers/decimal.ts'
import { listedRulesOf, listingChanges } from '../../src/market/listing-changes.ts'

const pair = (symbol: string, pricePrecision = 2, minNotional: string | undefined = '10') => ({
  symbol,
  pricePrecision,
  minNotional: minNotional === undefined ? undefined : new Decimal(minNotional),
})
const listings = (...pairs: readonly ReturnType<typeof pair>[]) =>
  new Map(pairs.map(listed => [listed.symbol, listedRulesOf(listed)]))

describe('listingChanges', () => {
  it('tells each rule that changed, with its old and its new value', () => {
    const changes = listingChanges(
      listings(pair('A/B'), pair('C/D')),
      listings(pair('A/B', 3, '5.5'), pair('C/D')),
    )
    expect(changes).toEqual([
      {
        symbol: 'A/B',
        change: {
          type: 'rulesChanged',
          rules: [
            { rule: 'pricePrecision', before: '2', after: '3' },
            { rule: 'minNotional', before: '10', after: '5.5' },
          ],
        },
      },
    ])
  })

  it('tells what is new and what is gone', () => {
    expect(listingChanges(listings(pair('A/B')), listings(pair('C/D')))).toEqual([
      { symbol: 'C/D', change: { type: 'listed' } },
      { symbol: 'A/B', change: { type: 'delisted' } },
    ])
  })

  it('takes 10.0 and 10 for the same, and a rule that is no longer told for a change', () => {
    expect(listingChanges(listings(pair('A/B', 2, '10.0')), listings(pair('A/B')))).toEqual([])
    const [found] = listingChanges(
      listings(pair('A/B')),
      new Map([['A/B', listedRulesOf({ ...pair('A/B'), minNotional: undefined })]]),
    )
    expect(found?.change).toEqual({
      type: 'rulesChanged',
      rules: [{ rule: 'minNotional', before: '10', after: undefined }],
    })
  })
})
