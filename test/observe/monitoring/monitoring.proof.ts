import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { request } from 'undici'
import { describe, expect, it } from 'vitest'
import { botMeters } from '../../../src/observe/metrics/bot-meters.ts'
import { prometheusRegistry } from '../../../src/observe/metrics/prometheus-registry.ts'
import { afterTest } from '../../after-test.ts'
import { fileWith, ROOT, SluiceProcess, strategyFile } from '../../e2e/sluice-process.ts'

const MONITORING = join(ROOT, 'config/monitoring')
const hasPrometheus = spawnSync('promtool', ['--version']).status === 0
if (!hasPrometheus)
  process.stdout.write(
    'No prometheus here: board and alert rules are not tried (apt-get install prometheus).\n',
  )

interface Target {
  readonly expr: string
}

/** Queries of the board, of all bots; its interval covers the scrapes of a test. */
function boardQueries(): readonly string[] {
  const { panels } = JSON.parse(readFileSync(join(MONITORING, 'grafana-board.json'), 'utf8'))
  return panels.flatMap(({ targets }: { readonly targets: readonly Target[] }) =>
    targets.map(({ expr }) => expr.replaceAll('$__rate_interval', '1m').replaceAll('$instance', '.+')),
  )
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise(resolve => server.close(resolve))
  return typeof address === 'object' && address !== null ? address.port : 0
}

async function answerOf(url: string): Promise<unknown> {
  const { body } = await request(url)
  return JSON.parse(await body.text()).data
}

/** Prometheus with the configuration that ships, but for target, interval and folder. */
async function startPrometheus(target: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-prometheus-'))
  const written = readFileSync(join(MONITORING, 'prometheus.yaml'), 'utf8')
    .replace('127.0.0.1:8080', target)
    .replace('15s', '200ms')
    .replace('alerts.yaml', join(MONITORING, 'alerts.yaml'))
  writeFileSync(join(folder, 'prometheus.yaml'), written)
  const address = `127.0.0.1:${await freePort()}`
  const child: ChildProcess = spawn(
    'prometheus',
    [
      `--config.file=${join(folder, 'prometheus.yaml')}`,
      `--storage.tsdb.path=${join(folder, 'data')}`,
      `--web.listen-address=${address}`,
    ],
    { stdio: 'ignore' },
  )
  const ended = new Promise(resolve => child.once('close', resolve))
  afterTest(async () => {
    child.kill('SIGKILL')
    await ended
    rmSync(folder, { recursive: true, force: true })
  })
  return `http://${address}`
}

/** Asks until there is data, for twenty seconds at most. */
async function dataOf(prometheus: string, query: string): Promise<readonly unknown[]> {
  for (let tries = 0; tries < 80; tries++) {
    try {
      const url = `${prometheus}/api/v1/query?query=${encodeURIComponent(query)}`
      const { result } = (await answerOf(url)) as { readonly result: readonly unknown[] }
      if (result.length > 0) return result
    } catch {
      // It is still starting.
    }
    await new Promise(resolve => setTimeout(resolve, 250))
  }
  return []
}

/** True if an alert fires at a time of a series of samples, in promtool's notation. */
function firingAt(alert: string, series: string, values: string, at: string): boolean {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-alerts-'))
  afterTest(() => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'test.json')
  const alerts = [{ eval_time: at, alertname: alert, exp_alerts: [] }]
  const input = { interval: '1m', input_series: [{ series, values }], alert_rule_test: alerts }
  writeFileSync(file, JSON.stringify({ rule_files: [join(MONITORING, 'alerts.yaml')], tests: [input] }))
  const { status, stdout, stderr } = spawnSync('promtool', ['test', 'rules', file])
  if (status === 0) return false
  const answer = `${stdout}${stderr}`
  expect(answer).toContain(`alertname="${alert}"`)
  return true
}

describe('the board and the alert rules', () => {
  it('name only metrics that a bot has', async () => {
    const registry = prometheusRegistry()
    botMeters(registry, true)
    const { text } = await registry.write()
    const known = new Set([...text.matchAll(/^# HELP (\w+)/gm)].map(([, name]) => name))
    const texts = [...boardQueries(), readFileSync(join(MONITORING, 'alerts.yaml'), 'utf8')].join('\n')
    const named = [...texts.matchAll(/\bsluice_\w+/g)].map(([name]) => name.replace(/_bucket$/, ''))
    expect(named.length).toBeGreaterThan(20)
    expect(named.filter(name => !known.has(name))).toEqual([])
    expect([...known].filter(name => !texts.includes(String(name)))).toEqual([])
  })

  it.skipIf(!hasPrometheus)('pass promtool', () => {
    const { status, stderr } = spawnSync('promtool', ['check', 'config', join(MONITORING, 'prometheus.yaml')])
    expect([status, String(stderr)]).toEqual([0, ''])
  })

  it('tell bots apart: every query is of the bots that are chosen, and every sum is of one', () => {
    for (const query of boardQueries()) {
      for (const [, filter] of query.matchAll(/sluice_\w+(\{[^}]*\})?/g))
        expect(filter).toBe('{instance=~".+"}')
      for (const [, labels] of query.matchAll(/\bsum\b([^(]*\([^)]*\))/g))
        expect(labels).toContain('instance')
    }
    const rules = readFileSync(join(MONITORING, 'alerts.yaml'), 'utf8')
    for (const [, labels] of rules.matchAll(/\bsum\b([^(]*\([^)]*\))/g)) expect(labels).toContain('instance')
    for (const [summary] of rules.matchAll(/summary: .*/g)) expect(summary).toContain('$labels.instance')
  })

  it.skipIf(!hasPrometheus).each([
    {
      alert: 'SluiceRateLimited',
      series: 'sluice_http_requests_total{endpoint="depth",code="429"}',
      fires: '_x4 1x20',
      stays: '_x4 0x20',
    },
    {
      alert: 'SluiceRejections',
      series: 'sluice_orders_total{strategy="s",symbol="BTC/USDT",account="spot",status="rejected"}',
      fires: '_x4 4x20',
      stays: '_x4 3x20',
    },
    {
      alert: 'SluiceNoticesFail',
      series: 'sluice_notices_total{channel="mail",result="failed"}',
      fires: '_x4 6x20',
      stays: '_x4 5x20',
    },
  ])(
    'let $alert fire at the first counts of a series, and once it is old only at new ones',
    ({ alert, series, fires, stays }) => {
      // Samples of a minute each. The series appears after five minutes, and is older than every window at the 25th.
      expect(firingAt(alert, series, fires, '6m')).toBe(true)
      expect(firingAt(alert, series, fires, '25m')).toBe(false)
      expect(firingAt(alert, series, stays, '6m')).toBe(false)
      // It counts seven more, of an old series.
      expect(firingAt(alert, series, '1x30 8x5', '33m')).toBe(true)
      // The process was started again, and counts from zero.
      expect(firingAt(alert, series, '9x30 0x1 7x5', '34m')).toBe(true)
    },
  )

  it.skipIf(!hasPrometheus)(
    'find data in a Prometheus that scrapes a trading bot',
    { timeout: 60_000 },
    async () => {
      const strategy = strategyFile(
        'flipper',
        "(_kline, { position }) => position.direction === 'flat' ? enterLong() : exit()",
      )
      const folder = dirname(strategy)
      const port = await freePort()
      const config = fileWith(
        'bot.yaml',
        `bot: scraped
venue: { type: simulated, speed: 240 }
strategies: [{ file: ${JSON.stringify(strategy)}, symbol: BTC/USDT, interval: 1m, size: { quote: 1000 } }]
journal: { file: ${JSON.stringify(join(folder, 'record', 'bot.journal'))} }
control: { socket: ${JSON.stringify(join(folder, 'bot.sock'))} }
web: { port: ${port} }
metrics: { balances: true }
`,
      )
      const bot = new SluiceProcess(['src/main.js', 'start', '--config', config, '--json'])
      await bot.line('"trading"')
      const prometheus = await startPrometheus(`127.0.0.1:${port}`)
      await bot.line('"fill"', 'out', 3)
      const answers = await Promise.all(
        boardQueries().map(async query => [query, (await dataOf(prometheus, query)).length] as const),
      )
      expect(answers.filter(([, count]) => count === 0)).toEqual([])
      const { groups } = (await answerOf(`${prometheus}/api/v1/rules`)) as {
        readonly groups: readonly { readonly rules: readonly { readonly health: string }[] }[]
      }
      const rules = groups.flatMap(group => group.rules)
      expect(rules.length).toBeGreaterThan(5)
      expect(rules.filter(({ health }) => health === 'err')).toEqual([])
    },
  )
})
