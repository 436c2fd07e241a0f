import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { sluiceHere } from '../cli/backtest/in-process.ts'
import { fileWith } from './sluice-process.ts'

it('npm run report says what is wrong with a journal that is none, and writes nothing', async () => {
  const text = fileWith('text.journal', 'no journal')
  const journal = join(dirname(text), 'bot.journal')
  const html = join(dirname(text), 'report.html')
  expect(await sluiceHere('report', journal, '--html', html)).toMatchObject({
    exitCode: 2,
    err: expect.stringContaining(`There is no journal at ${journal}`),
  })
  expect((await sluiceHere('report', text, '--html', html)).exitCode).toBe(1)
  expect((await sluiceHere('report', journal)).exitCode).toBe(2)
  expect(existsSync(html)).toBe(false)
})
