import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { klinesOf, MINUTE, minutes, scratchStore } from '../../klines/store/scratch-store.ts'
import { sluiceHere } from '../backtest/in-process.ts'

const FEBRUARY = Date.UTC(2024, 1, 1)

async function storedGap() {
  const { folder, store, series } = scratchStore()
  using writer = await series.openWriter()
  writer.merge(klinesOf([...minutes(FEBRUARY - 2 * MINUTE, 3), FEBRUARY + 5 * MINUTE]), 'test')
  return { folder, store, series }
}

describe('klines list', () => {
  it('shows what is stored, with its gaps', async () => {
    const { folder } = await storedGap()
    const { exitCode, out, err } = await sluiceHere('klines', 'list', '--store', folder)
    expect([exitCode, err]).toEqual([0, ''])
    const cells = out.split('\n').map(line =>
      line
        .split('│')
        .map(cell => cell.trim())
        .slice(1, -1),
    )
    expect(cells[1]).toEqual(['venue', 'symbol', 'interval', 'from', 'to', 'rows', 'gaps', 'absent', 'MB'])
    expect(cells[3]).toEqual([
      'here',
      'BTC/USDT',
      '1m',
      '2024-01-31 23:58',
      '2024-02-01 00:05',
      '4',
      '1',
      '4',
      '0.00',
    ])
  })

  it('writes one JSON object', async () => {
    const { folder, store } = await storedGap()
    const { out } = await sluiceHere('klines', 'list', '--store', folder, '--json')
    expect(JSON.parse(out)).toEqual(JSON.parse(JSON.stringify(store.list())))
  })

  it('says that a store is empty', async () => {
    expect(await sluiceHere('klines', 'list', '--store', 'no-such-folder')).toEqual({
      exitCode: 0,
      out: 'The store no-such-folder is empty.\n',
      err: '',
    })
  })

  it('ends with 1 and a sentence where a file is damaged, and shows the rest', async () => {
    const { folder, series } = await storedGap()
    writeFileSync(join(series.folder, '2024-01.arrow'), 'nothing')
    const { exitCode, out, err } = await sluiceHere('klines', 'list', '--store', folder)
    expect(exitCode).toBe(1)
    expect(out).toContain('BTC/USDT')
    expect(err).toMatch(/^The file \S+2024-01\.arrow of the kline store cannot be used: .+\n$/)
  })
})
