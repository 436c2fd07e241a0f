import { expect, it } from 'vitest'
import { pauseHereText } from '../../../src/cli/bot/bot-command.ts'
import { botConfigSchema } from '../../../src/config/bot-config.ts'

/** Text on a pause of an hour, for a bot of this venue. */
function said(venue: object): string {
  const strategies = [
    { file: 'strategies/sma-cross.ts', symbol: 'BTC/USDT', interval: '1m', size: { quote: 100 } },
  ]
  return pauseHereText({ command: 'pause', forMs: 3_600_000 }, botConfigSchema.parse({ venue, strategies }))
}

it('says how long a pause lasts here where the exchange runs at another speed', () => {
  expect(said({ type: 'simulated', speed: 60 })).toBe(
    " The pause is counted by the exchange's clock, which runs 60 times as fast: it lasts about 60 s here.",
  )
  expect(said({ type: 'simulated', speed: 1 })).toBe('')
})
