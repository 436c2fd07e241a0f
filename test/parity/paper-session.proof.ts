import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, it, onTestFinished } from 'vitest'
import { loadStrategy } from '../../src/bot/start/load-strategy.ts'
import type { SessionFill } from '../../src/matching/session-replay.ts'
import type { SessionRow } from '../../src/matching/session-row.ts'
import { sluiceHere } from '../cli/backtest/in-process.ts'
import { fileWith, ROOT } from '../cli/sluice-process.ts'
import { hasShared } from '../shared-data.ts'
import { type PaperSessionOptions, paperSession, TRADES } from './paper-session.ts'

const IMPORT = `import { defineStrategy, enterLong, keepQuotes } from '${pathToFileURL(join(ROOT, 'src/strategy/index.ts')).href}'
`
/** Buys once, at a price below the market. */
const PATIENT = `${IMPORT}
export default defineStrategy({
  name: 'patient',
  state: () => ({ row: 0 }),
  onKline: ({ close }, { state }) => state.row++ === 0 ? enterLong({ size: { base: 0.05 }, order: { type: 'limit', price: close - 80 } }) : undefined,
})
`
/** Takes and quotes on every minute, with other quotes each time. */
const STRATEGY = `${IMPORT}
const quote = (side, price, base) => ({ side, price, size: { base } })
export default defineStrategy({
  name: 'both-sides',
  onKline({ close }) {
    return [
      enterLong({ size: { base: 0.02 }, scaleIn: true }),
      keepQuotes([quote('buy', close, 0.01), quote('buy', close - 20, 0.03), quote('sell', close + 0.1, 0.01), quote('sell', close + 15, 0.02)]),
    ]
  },
})
`
const CONFIG = 'account: { type: spot, balance: { USDT: 100000 } }\nsize: { base: 0.1 }\n'
const FUTURES =
  'account: { type: futures, leverage: 5, balance: { USDT: 100000 } }\nsize: { base: 0.1 }\ninstruments: { E-BTC-USDT: { contractSize: "0.0001", pricePrecision: 2 } }\n'

/** A session that was recorded, and a backtest on its record. */
async function recordedAndReplayed(
  session: Omit<PaperSessionOptions, 'strategy' | 'queue'>,
  config: string,
  text = STRATEGY,
  ...more: readonly string[]
) {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-session-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const file = fileWith('strategy.ts', text)
  await paperSession(folder, { ...session, strategy: await loadStrategy(file), queue: 'shown' })
  const rows = readFileSync(join(folder, 'session.jsonl'), 'utf8').trim().split('\n')
  const symbols = session.markets.map(({ symbol }) => symbol).join(',')
  const args = ['--symbol', symbols, '--interval', '1m', '--config', fileWith('backtest.yaml', config)]
  const replay = async (...others: readonly string[]) => {
    const asked = [...args, '--store', folder, '--ticks', ...more, ...others, '--json', '-']
    const { err, out } = await sluiceHere('backtest', file, ...asked)
    expect(err).toBe('')
    return JSON.parse(out) as Backtest
  }
  return { fills: fillsOf(rows.map((row): Row => JSON.parse(row))), replay }
}

/** Fills of a backtest in the words of a session. */
function replayedFills({ fills }: Backtest) {
  return fills.map(({ time: at, symbol, clientOrderId, side, price, quantity, liquidity, evidence }) => ({
    ...{ at, symbol, decision: decisionOf(clientOrderId), side, price, quantity, liquidity, evidence },
  }))
}

const rulesOf = (fills: readonly { readonly evidence: Evidence }[]) =>
  new Set(fills.map(({ evidence: { rule } }) => rule))

describe.runIf(hasShared('data', TRADES))('six minutes of a paper session on real ticks', () => {
  it('give the fills of a backtest on the record', async () => {
    const { fills, replay } = await recordedAndReplayed({ markets: [{ symbol: 'BTC/USDT' }] }, CONFIG)
    const backtest = await replay()
    const found = replayedFills(backtest)
    // The backtest ends with the last whole minute of trades.
    expect(found).toEqual(fills.filter(({ at }) => at < backtest.manifest.to))
    expect(rulesOf(found)).toEqual(new Set(['walked', 'queued', 'tradedThrough']))
    expect(found.length).toBeGreaterThan(20)
    expect((await replay('--queue', 'back')).fills).not.toEqual(backtest.fills)
  })

  it('give them on two markets of one account', async () => {
    const markets = [{ symbol: 'BTC/USDT' }, { symbol: 'ETH/USDT', delayMs: 350, divisor: 20 }]
    const { fills, replay } = await recordedAndReplayed({ markets }, CONFIG)
    const backtest = await replay()
    const found = replayedFills(backtest)
    expect(found).toEqual(fills.filter(({ at }) => at < backtest.manifest.to))
    expect(new Set(found.map(({ symbol }) => symbol))).toEqual(new Set(['BTC/USDT', 'ETH/USDT']))
    expect(found.length).toBeGreaterThan(25)
  })

  it('give them where two minutes are missing, which their klines judge', async () => {
    const markets = [{ symbol: 'BTC/USDT', gaps: [[65_000, 179_900] as const] }]
    const { fills, replay } = await recordedAndReplayed({ markets }, CONFIG, PATIENT, '--gaps', 'skip')
    const backtest = await replay()
    const found = replayedFills(backtest)
    expect(found).toEqual(fills.filter(({ at }) => at < backtest.manifest.to))
    expect(rulesOf(found)).toContain('gapMinute')
  })

  it('give them on a contract, whose minutes and mark prices were recorded', async () => {
    const accounts = {
      futures: { leverage: 5, marginMode: 'isolated', positionMode: 'oneWay' },
    } as const
    const { fills, replay } = await recordedAndReplayed(
      { markets: [{ symbol: 'E-BTC-USDT' }], accounts },
      FUTURES,
    )
    const backtest = await replay()
    const found = replayedFills(backtest)
    expect(found).toEqual(fills.filter(({ at }) => at < backtest.manifest.to))
    expect(found.length).toBeGreaterThan(10)
    expect(rulesOf(found)).toContain('quotedThrough')
    expect(backtest.margin?.mark).toBe('recordedMarks')
  })
})

type Row = { readonly type: string } & SessionRow
type Evidence = SessionFill['evidence']

interface Backtest {
  readonly margin?: { readonly mark: string }
  readonly manifest: { readonly to: number }
  readonly fills: readonly {
    readonly time: number
    readonly symbol: string
    readonly clientOrderId: string
    readonly side: string
    readonly price: number
    readonly quantity: number
    readonly liquidity: string
    readonly evidence: Evidence
  }[]
}

/** The fills of a session in the numbers of a result, with the decisions of their orders. */
function fillsOf(rows: readonly Row[]) {
  const ids = new Map(
    rows.flatMap(row => (row.type === 'order' ? [[row.order, row.clientOrderId ?? '']] : [])),
  )
  return rows
    .filter(row => row.type === 'fill')
    .map(({ at, symbol, order, side, price, quantity, liquidity, evidence }) => ({
      ...{ at, symbol, decision: decisionOf(ids.get(order) ?? ''), side, liquidity },
      ...{ price: Number(price), quantity: baseOf(Number(quantity), symbol) },
      evidence: {
        ...evidence,
        ...inBase('queueBefore', evidence, symbol),
        ...inBase('queueAfter', evidence, symbol),
      },
    }))
}

/** A queue in base. */
function inBase(key: 'queueBefore' | 'queueAfter', { [key]: steps }: Evidence, symbol: string) {
  return steps === undefined ? {} : { [key]: symbol.includes('/') ? steps / 1e5 : baseOf(steps, symbol) }
}

/** Base of a quantity: contracts of 0.0001, or base. */
function baseOf(quantity: number, symbol: string): number {
  return symbol.includes('/') ? quantity : quantity / 1e4
}

/** Time and number of a decision: the rest of an id belongs to the process. */
function decisionOf(clientOrderId: string): string {
  return clientOrderId.slice(clientOrderId.indexOf('-'))
}
