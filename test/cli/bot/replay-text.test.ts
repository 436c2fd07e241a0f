import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { runReplay } from '../../../src/cli/bot/replay-command.ts'
import { runStart } from '../../../src/cli/bot/start-command.ts'
import { afterTest } from '../../after-test.ts'

it('counts one session as one, and two as two', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-replayed-'))
  afterTest(() => rmSync(folder, { recursive: true, force: true }))
  const at = (name: string) => join(folder, name)
  const [config, journal, socket] = [at('bot.yaml'), at('bot.journal'), at('bot.sock')]
  writeFileSync(
    config,
    `strategies: [{ file: strategies/sma-cross.ts, symbol: BTC/USDT, interval: 1m, size: { quote: 100 } }]
journal: { file: ${JSON.stringify(journal)} }
control: { socket: ${JSON.stringify(socket)} }
`,
  )
  const said: string[] = []
  const write = (text: string) => said.push(text)
  for (const sessions of ['1 session', '2 sessions']) {
    expect(await runStart({ config, json: true, stopAfterMs: 1 }, { write: () => {} })).toBe(0)
    expect(await runReplay({ journal, json: false }, { write })).toBe(0)
    expect(said.at(-1)).toContain(` of ${sessions} were run again, `)
  }
})
