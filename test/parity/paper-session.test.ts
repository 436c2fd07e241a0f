import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { loadStrategy } from '../../src/bot/start/load-strategy.ts'
import type { SessionFill } from '../../src/matching/session-replay.ts'
import type { SessionRow } from '../../src/matching/session-row.ts'
import { sluiceHere } from '../cli/backtest/in-process.ts'
import { fileWith, ROOT } from '../cli/sluice-process.ts'
import { hasShared } from '../shared-data.ts'
import { paperSession, TRADES } from './paper-session.ts'

/** Takes and quotes on every minute, with other quotes each time. */
const STRATEGY = `import { defineStrategy, enterLong, keepQuotes } from '${pathToFileURL(join(ROOT, 'src/strategy/index.ts')).href}'
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
const CONFIG = 'account: { type: spot, balance: { USDT: 10000 } }\nsize: { base: 0.1 }\n'

test.runIf(hasShared('data', TRADES))(
  'the fills of a paper session over six minutes of real ticks are those of a backtest on its recording',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'sluice-session-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    const file = fileWith('both-sides.ts', STRATEGY)
    await paperSession(folder, await loadStrategy(file), 'shown')
    const rows = readFileSync(join(folder, 'session.jsonl'), 'utf8').trim().split('\n')
    const session: readonly Row[] = rows.map(row => JSON.parse(row))
    const config = fileWith('backtest.yaml', CONFIG)
    const args = [
      '--symbol',
      'BTC/USDT',
      '--interval',
      '1m',
      '--config',
      config,
      '--store',
      folder,
      '--ticks',
    ]
    const { err, out } = await sluiceHere('backtest', file, ...args, '--json', '-')
    expect(err).toBe('')
    const backtest: Backtest = JSON.parse(out)
    // The backtest ends with the last whole minute of trades.
    const expected = fillsOf(session).filter(({ at }) => at < backtest.manifest.to)
    const found = backtest.fills.map(
      ({ time: at, clientOrderId, side, price, quantity, liquidity, evidence }) => ({
        ...{ at, decision: decisionOf(clientOrderId), side, price, quantity, liquidity, evidence },
      }),
    )
    expect(found).toEqual(expected)
    expect(new Set(found.map(({ evidence: { rule } }) => rule))).toEqual(
      new Set(['walked', 'queued', 'tradedThrough']),
    )
    expect(found.length).toBeGreaterThan(20)
    const behind = await sluiceHere('backtest', file, ...args, '--queue', 'back', '--json', '-')
    expect(JSON.parse(behind.out).fills).not.toEqual(backtest.fills)
  },
)

type Row = { readonly type: string } & SessionRow
type Evidence = SessionFill['evidence']

interface Backtest {
  readonly manifest: { readonly to: number }
  readonly fills: readonly {
    readonly time: number
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
    .map(({ at, order, side, price, quantity, liquidity, evidence }) => ({
      ...{ at, decision: decisionOf(ids.get(order) ?? ''), side, liquidity },
      ...{ price: Number(price), quantity: Number(quantity) },
      evidence: {
        ...evidence,
        ...inBase('queueBefore', evidence),
        ...inBase('queueAfter', evidence),
      },
    }))
}

function inBase(key: 'queueBefore' | 'queueAfter', { [key]: steps }: Evidence) {
  return steps === undefined ? {} : { [key]: steps / 1e5 }
}

/** Time and number of a decision: the rest of an id belongs to the process. */
function decisionOf(clientOrderId: string): string {
  return clientOrderId.slice(clientOrderId.indexOf('-'))
}
