import { expect, it } from 'vitest'
import { DIALECT_NAMES, type DialectName, dialectOf } from '../../src/simulator/dialects/dialects.ts'
import { type Played, type PlayedMarket, ProfileLife } from './profile-life.ts'

const FEES = 'makerFeeRate: "0.0005", takerFeeRate: "0.001"'
/** What the lists of a host do not tell, as its fee schedule would. */
const TOLD: Partial<Record<DialectName, Readonly<Record<'spot' | 'futures', string>>>> = {
  xme: { spot: '', futures: `instruments: { E-BTC-USDT: { ${FEES} } }` },
  bitbaby: {
    spot: `instruments: { BTC/USDT: { ${FEES}, minNotional: "10" } }`,
    futures: `instruments: { E-BTC-USDT: { ${FEES} } }`,
  },
}
const CONTRACTS: Partial<Record<DialectName, string>> = {
  gaiaex: 'USDT1802-BTC-USDT',
  darkex: 'USDT1802-BTC-USDT',
}
const COLUMNS = [
  'start',
  'round trip',
  'restart with an open order',
  'doctor',
  'doctor --venue',
  'round trip with the profile it wrote',
  'paper session',
] as const

type Row = Readonly<Record<(typeof COLUMNS)[number], Played>>

function marketsOf(name: DialectName): readonly PlayedMarket[] {
  const { onlyHost } = dialectOf(name)
  const [spot = '', futures = ''] = [TOLD[name]?.spot, TOLD[name]?.futures]
  return [
    ...(onlyHost === 'futures' ? [] : [{ account: 'spot', symbol: 'BTC/USDT', instruments: spot } as const]),
    ...(onlyHost === 'spot'
      ? []
      : [{ account: 'futures', symbol: CONTRACTS[name] ?? 'E-BTC-USDT', instruments: futures } as const]),
  ]
}

async function played(
  life: ProfileLife,
  market: PlayedMarket,
  written: { readonly took: Played; readonly file: string },
): Promise<Row> {
  const { start, restart, 'round trip': trip } = await life.live(market)
  return {
    start,
    'round trip': trip,
    'restart with an open order': restart,
    doctor: await life.doctor(market),
    'doctor --venue': written.took,
    'round trip with the profile it wrote': await life.byWritten(written.file, market),
    'paper session': await life.paper(market),
  }
}

const cellOf = (result: Played) => (typeof result === 'number' ? `${(result / 1000).toFixed(1)} s` : result)

/** All, or those named in SLUICE_PROFILES, such as `koinbay,zke`. */
const PLAYED = DIALECT_NAMES.filter(name => (process.env.SLUICE_PROFILES ?? name).split(',').includes(name))

/** FameEX answers futures klines with empty lists, so that no strategy can follow its contracts: a start and both doctors say so. */
const NO_KLINES = /E-BTC-USDT has no futures klines of 1m on this exchange/
const NONE_AT_HOST = /The futures host has no klines of any interval/

it('plays every profile against the simulated exchange in its dialect: a Markdown table of what each took', async () => {
  const lines = [
    `| profile | account | ${COLUMNS.join(' | ')} |`,
    `|---|---|${'---|'.repeat(COLUMNS.length)}`,
  ]
  const failed: string[] = []
  for (const name of PLAYED) {
    const life = await ProfileLife.open(name)
    const written = await life.venueDoctor()
    for (const market of marketsOf(name)) {
      const row = await played(life, market, written)
      lines.push(
        `| ${name} | ${market.account} | ${COLUMNS.map(column => cellOf(row[column])).join(' | ')} |`,
      )
      const lacksKlines = name === 'fameex'
      if (lacksKlines) expect(row['doctor --venue']).toMatch(NONE_AT_HOST)
      if (lacksKlines && market.account === 'futures') {
        expect(row.start).toMatch(NO_KLINES)
        continue
      }
      const expected = COLUMNS.filter(column => !(lacksKlines && column === 'doctor --venue'))
      failed.push(
        ...expected
          .filter(column => typeof row[column] !== 'number')
          .map(column => `${name} ${market.account} ${column}: ${row[column]}`),
      )
    }
  }
  process.stdout.write(`${lines.join('\n')}\n`)
  expect(failed).toEqual([])
})
