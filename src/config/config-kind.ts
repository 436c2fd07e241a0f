import { isRecord } from '../domain/is-record.ts'
import { UsageError } from '../domain/sluice-error.ts'

/** Kinds of configuration files. */
type ConfigKind = 'backtest' | 'bot' | 'exchange'

/** Top-level keys that no other kind has. */
const OWN_KEYS: Readonly<Record<ConfigKind, readonly string[]>> = {
  backtest: ['fills', 'riskFreeRate', 'size'],
  bot: ['bot', 'control', 'execution', 'journal', 'log', 'polling', 'venue'],
  exchange: ['admin', 'faults', 'liquidity', 'listings', 'recvWindowMs'],
}

/** Keys of a strategy that only a backtest has: the sources of its klines. */
const BACKTEST_STRATEGY_KEYS = ['data', 'feedData', 'store', 'venue']

const KINDS = {
  backtest: { name: 'a backtest', command: 'npm run backtest --' },
  bot: { name: 'a bot', command: 'npm start --' },
  exchange: { name: 'a simulated exchange', command: 'npm run exchange --' },
} as const

/**
 * Throws `UsageError` with the correct command if the file at `path`, with the content `value`, is of another
 * kind.
 */
export function requireKind(path: string, value: unknown, kind: ConfigKind): void {
  const own = ownKeysIn(value)
  const [found] = own
  // Keys of several kinds are mistakes, which each have a sentence of their own.
  if (found === undefined || own.some(other => other.kind !== found.kind) || found.kind === kind) return
  const { name, command } = KINDS[found.kind]
  const given = found.kind === 'backtest' && !listsStrategies(value) ? MARKET_ON_LINE : ''
  throw new UsageError(
    `${path} configures ${name} (it has the key "${found.key}"), not ${KINDS[kind].name}; to use it, type:\n  ${command}${given} --config ${path}`,
  )
}

/** Strategy and market of a backtest whose configuration lists none. */
const MARKET_ON_LINE = ' strategies/NAME.ts --symbol BTC/USDT --interval 1h'

function listsStrategies(value: unknown): boolean {
  return isRecord(value) && value.strategies !== undefined
}

function ownKeysIn(value: unknown): { kind: ConfigKind; key: string }[] {
  if (!isRecord(value)) return []
  const { account, accounts, strategies } = value
  const entries = Array.isArray(strategies) ? strategies.filter(isRecord) : []
  const backtestKeys = [
    ...(hasBalance(account) ? ['account.balance'] : []),
    ...(isRecord(accounts) && Object.values(accounts).some(hasBalance) ? ['balance'] : []),
    ...entries.flatMap(entry => BACKTEST_STRATEGY_KEYS.filter(key => key in entry)),
  ]
  const kinds = ['backtest', 'bot', 'exchange'] as const
  return [
    ...kinds.flatMap(kind => OWN_KEYS[kind].filter(key => key in value).map(key => ({ kind, key }))),
    ...backtestKeys.map(key => ({ kind: 'backtest' as const, key })),
  ]
}

function hasBalance(account: unknown): boolean {
  return isRecord(account) && 'balance' in account
}
