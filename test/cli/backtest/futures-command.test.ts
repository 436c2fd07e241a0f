import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { START, waveCsv } from '../klines.ts'
import { sluiceHere } from './in-process.ts'

const HOUR = 3_600_000
const KLINES = 400
const folder = mkdtempSync(join(tmpdir(), 'sluice-futures-'))
afterAll(() => rmSync(folder, { recursive: true }))

function file(name: string, text: string): string {
  const path = join(folder, name)
  writeFileSync(path, text)
  return path
}

/** Funding rates every 8 hours, from the first kline on. */
function fundingCsv(count: number): string {
  const rows = Array.from({ length: count }, (_, index) => `${START + index * 8 * HOUR},0.0003`)
  return `ts,rate\n${rows.join('\n')}\n`
}

function run(rules: string, ...more: string[]) {
  const config = file(
    'futures.yaml',
    `account: { type: futures, leverage: 40, marginMode: isolated }\nsize: { equityFraction: 4 }\ninstruments: { BTC/USDT: { contractSize: "0.001", ${rules} } }\n`,
  )
  const data = file('wave.csv', waveCsv(KLINES))
  return sluiceHere(
    ...['backtest', 'strategies/sma-cross.ts', '--data', data, '--symbol', 'BTC/USDT', '--interval', '1h'],
    ...['--param', 'fast=5', '--param', 'slow=10', '--config', config, ...more],
  )
}

describe('a backtest on a futures account', () => {
  it('reports funding, liquidations, leverage and margin, and adds up', async () => {
    const funding = file('funding.csv', fundingCsv(60))
    const result = join(folder, 'result.json')
    expect(await run(`fundingFile: ${funding}`, '--json', result)).toMatchObject({ exitCode: 0, err: '' })
    const report = JSON.parse(readFileSync(result, 'utf8'))
    const { margin, metrics, roundTrips, manifest } = report
    expect(margin).toMatchObject({
      leverage: 40,
      marginMode: 'isolated',
      mark: 'tradedKlines',
      funding: 'list',
    })
    expect(margin.highestLeverage).toBeGreaterThan(3)
    expect(margin.highestUse).toBeCloseTo(0.1, 1)
    expect(roundTrips.length).toBeGreaterThan(3)
    const paid = report.funding.reduce((sum: number, { amount }: { amount: number }) => sum + amount, 0)
    expect(report.funding.length).toBeGreaterThan(10)
    expect(metrics.funding).toBeCloseTo(paid, 9)
    const liquidated = roundTrips.filter(
      ({ exitReason }: { exitReason: string }) => exitReason === 'liquidation',
    )
    expect(margin.liquidations).toHaveLength(liquidated.length)
    expect(manifest.data).toHaveLength(2)
    expect(manifest.data[1]).toMatchObject({ file: 'funding.csv', klines: 60 })
    expect(await sluiceHere('backtest', '--verify', result)).toMatchObject({ exitCode: 0 })
  })

  it('says in its table by which rules, and what it lacks', async () => {
    const { out, exitCode } = await run('')
    expect(exitCode).toBe(0)
    expect(out).toMatch(/Futures: leverage 40, isolated margin, one-way positions/)
    expect(out).toMatch(/Funding was not charged: no rates were given\./)
    expect(out).toMatch(/the run does not charge funding: Funding/)
    const funded = (await run('fundingRate: "0.0001"')).out
    expect(funded).toMatch(
      /Funding was settled \d+ × at a constant rate, from the margin of\s+each\s+position\./,
    )
  })

  it('refuses rates that end before the klines do', async () => {
    const funding = file('short.csv', fundingCsv(3))
    const { exitCode, err } = await run(`fundingFile: ${funding}`)
    expect(exitCode).toBe(2)
    expect(err).toContain('short.csv has no funding rates for all of the klines')
  })
})
