import { describe, expect, it } from 'vitest'
import { loadProfile } from '../../../src/config/profiles/load-profile.ts'
import { UnitNotReadError, volumeFields } from '../../../src/exchange/futures/volume-unit.ts'

/** Wire fields of ten of a unit. */
function sent(profile: string, unit: 'contracts' | 'base' | 'quote', type: string, action: 'open' | 'close') {
  return volumeFields({ volume: '10', unit }, { type, action }, loadProfile(profile).futures)
}

describe('the volume of a futures order', () => {
  it.each([
    ['document', 'contracts', 'limit', 'open', 2],
    ['document', 'contracts', 'market', 'open', 2],
    ['document', 'base', 'market', 'close', 1],
    ['document', 'quote', 'market', 'open', 3],
    ['zke', 'contracts', 'ioc', 'close', 2],
    ['koinbay', 'contracts', 'limit', 'open', undefined],
    ['koinbay', 'contracts', 'market', 'close', undefined],
    ['bitbaby', 'quote', 'market', 'open', undefined],
    ['bitrue', 'contracts', 'market', 'close', undefined],
  ] as const)('at %s of %s, %s %s, has the unit %s', (profile, unit, type, action, orderUnit) => {
    const fields = { volume: '10', ...(orderUnit !== undefined && { orderUnit }) }
    expect(sent(profile, unit, type, action)).toEqual(fields)
  })

  it.each([
    [
      'koinbay',
      'contracts',
      'market',
      'write "marketOrderUnit: { open: … }" (contracts or quote) into the profile',
    ],
    ['gcbex', 'quote', 'market', 'nobody has told in which unit the exchange reads its volume'],
    [
      'bitbaby',
      'contracts',
      'market',
      'of a number of contracts, but the exchange reads its volume as an amount of quote',
    ],
    ['bitrue', 'base', 'market', 'Give quoteAmount, which leaves the quantity to the market'],
    ['koinbay', 'base', 'limit', 'given in base, but the profile of the exchange knows of no such unit'],
  ] as const)('at %s of %s, %s open, is refused', (profile, unit, type, sentence) => {
    const send = () => sent(profile, unit, type, 'open')
    expect(send).toThrow(UnitNotReadError)
    expect(send).toThrow(sentence)
  })
})
