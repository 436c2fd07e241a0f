import { expect, it } from 'vitest'
import { LineTrouble } from '../../../src/bot/log/line-trouble.ts'

const START = Date.UTC(2026, 10, 27, 23, 1, 11)

it('tells since when calls have failed without a pause of 30 s', () => {
  const trouble = new LineTrouble()
  const since = (second: number) => trouble.status(START + second * 1000, undefined).failingSince
  expect(since(0)).toBeUndefined()
  for (const second of [0, 29, 50]) trouble.callFailed('tickers', 'No answer.', START + second * 1000)
  expect([since(50), since(79), since(80)]).toEqual([
    '2026-11-27T23:01:11.000Z',
    '2026-11-27T23:01:11.000Z',
    undefined,
  ])
  trouble.callFailed('tickers', 'No answer.', START + 80_000)
  expect(since(81)).toBeUndefined() // a single one is no sign
  trouble.callFailed('tickers', 'No answer.', START + 81_000)
  expect(since(81)).toBe('2026-11-27T23:02:31.000Z')
  expect(trouble.status(START + 81_000, undefined).lastFailure).toBe(
    '2026-11-27 23:02:32Z, tickers: No answer.',
  )
})
