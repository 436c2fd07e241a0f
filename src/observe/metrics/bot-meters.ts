import type { MetricDefinition, MetricRegistry } from './metric-registry.ts'

/** Strategy, instrument and account (`spot`, `margin`, `futures`) of a sample; empty where a sample is of all. */
const TRADED = ['strategy', 'symbol', 'account'] as const
/** Upper bounds of times of this process, seconds. */
const OWN_TIMES = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1]
/** Upper bounds of times with an answer of the exchange, seconds. */
const ANSWER_TIMES = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

/** Every metric of a bot. */
export type BotMeters = ReturnType<typeof botMeters>

/** Makes the metrics of a bot; `showsMoney` adds those that tell how much there is. */
export function botMeters(registry: MetricRegistry, showsMoney: boolean) {
  const counter = (name: string, help: string, ...labels: string[]) =>
    registry.counter(defined(name, help, labels))
  const gauge = (name: string, help: string, ...labels: string[]) =>
    registry.gauge(defined(name, help, labels))
  return {
    orders: counter('orders_total', 'Orders that came to a status.', ...TRADED, 'status'),
    orderLatency: registry.histogram(
      defined(
        'order_latency_seconds',
        "Time of a step of an order, by the venue's clock: sent (since its decision; not of one that waited for its price in the bot), answered, filled, canceled (since its request).",
        [...TRADED, 'step'],
      ),
      ANSWER_TIMES,
    ),
    fills: counter('fills_total', 'Fills that were booked.', ...TRADED),
    denials: counter('denials_total', 'Orders that a risk check denied.', ...TRADED, 'check'),
    decisions: registry.histogram(
      defined('decision_seconds', 'Real time of the engine over the close of a kline.', ['symbol']),
      OWN_TIMES,
    ),
    commits: registry.histogram(
      defined('journal_commit_seconds', 'Real time of a commit of the journal.', []),
      OWN_TIMES,
    ),
    lag: registry.histogram(
      defined('event_loop_lag_seconds', 'Real time by which a timer of the process rang late.', []),
      OWN_TIMES,
    ),
    notices: counter(
      'notices_total',
      'Attempts to deliver notices by channel and result: delivered, failed, refused; and those dropped unsent.',
      'channel',
      'result',
    ),
    exposure: gauge('exposure_ratio', 'Notional of all positions, as a fraction of equity.', 'quote'),
    drawdown: gauge(
      'drawdown_ratio',
      'Fall from the highest equity that the journal tells, or since the start without one, as a fraction of it.',
      'quote',
    ),
    unknownOrders: gauge('unknown_orders', 'Orders whose outcome at the exchange is not known.'),
    drift: gauge('reconciliation_drift', '1 while account and books differ, 0 while they agree.'),
    backtestDifference: gauge(
      'backtest_difference_ratio',
      'Result of live less that of its backtest, without commands, as a fraction of what live turned over.',
    ),
    backtestDiffers: gauge(
      'backtest_differs',
      '1 while live differs from its backtest for known causes, 2 while a part is unexplained, 0 otherwise.',
    ),
    feedAge: gauge('feed_age_seconds', "Time since the latest quote, by the venue's clock.", 'symbol'),
    weight: gauge('request_weight_used', 'Weight of calls in the present minute.'),
    requests: counter(
      'http_requests_total',
      'Requests to the exchange by endpoint and HTTP status; none without an answer.',
      'endpoint',
      'code',
    ),
    clockOffset: gauge('clock_offset_seconds', "Lead of the exchange's time over this machine's."),
    tradingState: gauge(
      'trading_state',
      'Orders that pass: 0 all, 1 those that reduce, 2 only protective ones.',
      ...TRADED,
    ),
    build: gauge('build_info', '1, with the versions that run.', 'version', 'node'),
    ...(showsMoney && {
      money: {
        fees: counter('fees_total', 'Fees paid, less those received, by asset.', ...TRADED, 'asset'),
        equity: gauge('equity', 'Everything owned at the latest prices, by quote asset.', 'quote'),
        position: gauge('position_base', 'Base held; negative is short.', ...TRADED),
      },
    }),
  }
}

function defined(name: string, help: string, labels: readonly string[]): MetricDefinition {
  return { name: `sluice_${name}`, help, labels }
}
