import { describe, expect, it } from 'vitest'

/** The page is JavaScript for browsers, which the type checker of the tests does not read. */
const PAGE = new URL('../../src/web/page/', import.meta.url).pathname
const { effectText, heldText, hereText, pauseText } = await import(
  /* @vite-ignore */ `${PAGE}command-effects.js`
)

const HALTED = { source: 'operator', mode: 'halted', reason: 'The operator halted.' }
const REDUCING = { source: 'operator', mode: 'reducing', reason: 'The operator reduces.' }
const PAUSED = { ...REDUCING, until: '2026-01-01T00:30:00.000Z' }
const DRAWDOWN = { source: 'maxDrawdown', mode: 'halted', reason: 'It fell too far.' }
const HELD = [{ symbol: 'BTC/USDT' }]

/** The sentence about a command to a bot with these holds of the account, that holds BTC. */
function said(
  command: string,
  holds: readonly object[],
  held: readonly object[] = HELD,
  symbol = '',
): string {
  const trading = [
    { scope: 'account', holds },
    { scope: 'BTC/USDT', holds: [] },
  ]
  return effectText(command, symbol, { trading, held })
}

describe('what a command comes to', () => {
  it.each([
    ['kill', 'It is halted already: this closes what is held, and it stays halted.'],
    ['flatten', 'It is halted and stays so: nothing is entered again until resumed.'],
    ['halt', 'It is halted already: this changes nothing, and the reason of then stays.'],
    [
      'reduce',
      'It is halted already, which is stricter: this changes nothing. Resume it first to reduce it.',
    ],
    ['pause', 'It is halted already, which is stricter: this changes nothing. Resume it first to pause it.'],
    ['resume', ''],
  ])('tells of %s, to a bot that the operator has halted', (command, text) => {
    expect(said(command, [HALTED])).toBe(text)
  })

  it('tells of a kill where nothing is held', () => {
    expect(said('kill', [HALTED], [])).toContain('holds nothing')
  })

  it('tells of a pause that another one replaces, and of one that is stricter', () => {
    expect(said('pause', [PAUSED])).toBe('It is paused already: this sets a new end.')
    expect(said('reduce', [PAUSED])).toBe('')
    expect(said('halt', [REDUCING])).toBe('')
  })

  it('takes no protection for the operator: what it holds is held further by a command', () => {
    expect(said('halt', [DRAWDOWN])).toBe('')
  })

  it('tells of a resume where nothing holds back, by the scope that is chosen', () => {
    expect(said('resume', [])).toBe('Nothing holds trading of the account back: this changes nothing.')
    expect(said('resume', [HALTED], HELD, 'BTC/USDT')).toContain('instrument BTC/USDT')
  })
})

describe('what a command that closes would close', () => {
  const BTC = {
    ...{ symbol: 'BTC/USDT', book: 'BTC/USDT', direction: 'long', quantity: '1018', unit: 'contracts' },
    ...{ base: '0.1018', baseAsset: 'BTC', unrealised: '-1234.5', quote: 'USDT' },
  }
  const ETH = {
    ...{ symbol: 'ETH/USDT', book: 'ETH/USDT', direction: 'short', quantity: '1', unit: 'contracts' },
    ...{ base: '0.01', baseAsset: 'ETH', unrealised: '2', quote: 'USDT' },
  }

  it('is told of the whole bot, and of the instrument that is chosen', () => {
    expect(heldText('', { held: [BTC, ETH] })).toBe(
      'Held: BTC/USDT long 1,018 contracts (0.1018 BTC), -1,234.50 USDT; ETH/USDT short 1 contract (0.01 ETH), +2.00 USDT.',
    )
    expect(heldText('ETH/USDT', { held: [BTC, ETH] })).toBe(
      'Held: ETH/USDT short 1 contract (0.01 ETH), +2.00 USDT.',
    )
    expect(heldText('BTC/USDT', { held: [ETH] })).toBe('Nothing is held.')
  })
})

describe('the end of a pause', () => {
  const time = Date.UTC(2026, 0, 1, 14)

  it.each([
    [5, 1, 'until 2026-01-01 14:05:00.'],
    [5, 0, 'until 2026-01-01 14:05:00.'],
    // An hour of an exchange of 60 times real speed is a minute here, a day is 24.
    [60, 60, 'until 2026-01-01 15:00:00, in about 60 s here.'],
    [1440, 59.98, 'until 2026-01-02 14:00:00, in about 24 minutes here.'],
  ])('of %d minutes at speed %d is told as %s', (minutes, speed, text) => {
    expect(pauseText(minutes, { time, speed })).toBe(`Counted by the exchange’s clock: ${text}`)
  })

  it('is told here only where the clock of the exchange runs otherwise', () => {
    expect([hereText(30, 1.02), hereText(30, 0.98)]).toEqual(['', ''])
  })
})
