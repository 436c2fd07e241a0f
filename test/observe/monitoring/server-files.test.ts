import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { configOfBot } from '../../../src/config/load-bot-config.ts'
import { afterTest } from '../../after-test.ts'
import { sluice } from '../../cli/sluice-process.ts'
import { ROOT } from '../../e2e/sluice-process.ts'
import { fakeHttp } from '../fake-http.ts'

const COMPOSE = join(ROOT, 'config/compose')
const SERVICE = join(ROOT, 'config/service')
const textOf = (...path: readonly string[]) => readFileSync(join(ROOT, ...path), 'utf8')
const has = (program: string, ...args: readonly string[]) => spawnSync(program, args).error === undefined

interface Service {
  readonly image?: string
  readonly build?: { readonly context: string; readonly dockerfile: string }
  readonly command: readonly string[]
  readonly volumes?: readonly string[]
  readonly healthcheck?: { readonly test: readonly string[] }
  readonly environment?: Readonly<Record<string, string>> | readonly string[]
}

const servicesOf = (file: string): Readonly<Record<string, Service>> =>
  parse(textOf('config/compose', file)).services
/** A value with `${NAME:-default}` as it is where nothing is set. */
const plain = (text: string) => text.replaceAll(/\$\{\w+:-([^}]*)\}/g, '$1')
/** Host and container paths of the mounted files and folders. */
const mountsOf = ({ volumes = [] }: Service) =>
  volumes.flatMap(one => {
    const [host = '', inside = ''] = one.split(':')
    return host.startsWith('.') ? [{ host: resolve(COMPOSE, host), inside }] : []
  })

describe('the containers', () => {
  const all = ['server.yaml', 'workers.yaml'].flatMap(file =>
    Object.entries(servicesOf(file)).map(([name, service]) => [`${file} ${name}`, service] as const),
  )

  it.each(all)(
    'of %s are made of files that there are, and run commands with options that there are',
    async (_name, service) => {
      for (const { host } of mountsOf(service))
        if (!host.includes('/data/')) expect([host, existsSync(host)]).toEqual([host, true])
      if (service.build === undefined) {
        expect(service.image).toMatch(/^docker\.io\/\S+:[v\d]/)
        return
      }
      const { context, dockerfile } = service.build
      expect(resolve(COMPOSE, context)).toBe(ROOT)
      expect(existsSync(resolve(COMPOSE, context, dockerfile))).toBe(true)
      const [command = '', ...args] = service.command.map(plain)
      const { exitCode, out } = await sluice(command, '--help')
      expect(exitCode).toBe(0)
      for (const option of args.filter(one => one.startsWith('--'))) expect(out).toContain(option)
      for (const file of args.filter(one => one.startsWith('config/')))
        expect(existsSync(join(ROOT, file))).toBe(true)
    },
  )

  it('are built of what the project has, for the Node that it needs', () => {
    const lines = textOf('config/compose/Containerfile').split('\n')
    const [, major] = /node:(\d+)-slim$/m.exec(lines.join('\n')) ?? []
    expect(JSON.parse(textOf('package.json')).engines.node).toBe(`>=${major}`)
    const copied = lines.flatMap(line => /^COPY (.+) \S+$/.exec(line)?.[1]?.split(' ') ?? [])
    expect(copied.filter(file => !existsSync(join(ROOT, file)))).toEqual([])
    const [, entry = '[]'] = /^ENTRYPOINT (.+)$/m.exec(lines.join('\n')) ?? []
    expect(existsSync(join(ROOT, JSON.parse(entry)[1]))).toBe(true)
    expect(lines.indexOf('USER node')).toBeLessThan(lines.findIndex(line => line.startsWith('ENTRYPOINT')))
  })

  it('of a server find each other: one port of the window, one Prometheus, one board', () => {
    const { bot, prometheus, grafana } = servicesOf('server.yaml') as Record<
      'bot' | 'prometheus' | 'grafana',
      Service
    >
    const [, , file = ''] = bot.command.map(plain)
    const config = configOfBot(join(ROOT, file))
    const port = config.web?.port
    expect(config.journal?.file).toMatch(/^data\//)
    expect(bot.healthcheck?.test.at(-1)).toContain(`http://127.0.0.1:${port}/health`)
    const scraped = parse(textOf('config/monitoring/prometheus.yaml'))
    expect(scraped.scrape_configs[0].static_configs[0].targets).toEqual([`127.0.0.1:${port}`])
    const inPrometheus = mountsOf(prometheus).map(({ inside }) => inside)
    const [, own = ''] = /--config\.file=(\S+)/.exec(prometheus.command.join(' ')) ?? []
    expect(inPrometheus).toEqual([
      own,
      ...scraped.rule_files.map((rules: string) => join(dirname(own), rules)),
    ])
    const [source] = parse(textOf('config/monitoring/grafana-datasource.yaml')).datasources
    expect(prometheus.command.join(' ')).toContain(`--web.listen-address=${new URL(source.url).host}`)
    const [provider] = parse(textOf('config/monitoring/grafana-dashboards.yaml')).providers
    expect(mountsOf(grafana).map(({ host, inside }) => [basename(host), dirname(inside)])).toContainEqual([
      'grafana-board.json',
      provider.options.path,
    ])
  })

  it.each([
    [200, 0],
    [503, 1],
  ])('take the answer %i of /health for the exit code %i', async (status, exitCode) => {
    const { url, arrived } = await fakeHttp(() => ({ status }))
    const [, program = '', ...args] = servicesOf('server.yaml').bot?.healthcheck?.test ?? []
    const child = spawn(
      program,
      args.map(one => one.replace('http://127.0.0.1:8080', url)),
    )
    expect(await once(child, 'close')).toEqual([exitCode, null])
    expect(arrived.map(({ path }) => path)).toEqual(['/health'])
  })

  it('count as unhealthy where nothing answers', () => {
    const [, program = '', ...args] = servicesOf('server.yaml').bot?.healthcheck?.test ?? []
    expect(
      spawnSync(
        program,
        args.map(one => one.replace('8080', '9')),
      ).status,
    ).toBe(1)
  })
})

describe('the units of systemd', () => {
  const written = textOf('config/service/sluice@.service')
  const lineOf = (key: string) => new RegExp(`^${key}=(.*)$`, 'm').exec(written)?.[1] ?? ''

  it('start what the project has, and leave more time to end than a bot takes', async () => {
    const [, file = '', command = '', ...args] = lineOf('ExecStart').split(' ')
    expect([
      lineOf('ExecStart').startsWith('/opt/sluice/node_modules/.bin/node '),
      existsSync(join(ROOT, file)),
    ]).toEqual([true, true])
    const { out } = await sluice(command, '--help')
    for (const option of args.filter(one => one.startsWith('--'))) expect(out).toContain(option)
    const { execution } = configOfBot(join(SERVICE, 'paper.yaml'))
    expect(Number(lineOf('TimeoutStopSec')) * 1000).toBeGreaterThan(execution.stopWithinMs)
    expect(lineOf('RestartPreventExitStatus')).toBe('2')
    const page = textOf('docs/server.md')
    for (const name of [
      'sluice@.service',
      'sluice-backup@.service',
      'sluice-backup@.timer',
      'logrotate.conf',
      'paper.yaml',
    ]) {
      expect(existsSync(join(SERVICE, name))).toBe(true)
      expect(page).toContain(`config/service/${name}`)
    }
  })

  it.skipIf(!has('systemd-analyze', '--version'))('pass systemd-analyze', () => {
    const folder = mkdtempSync(join(tmpdir(), 'sluice-units-'))
    afterTest(() => rmSync(folder, { recursive: true, force: true }))
    const files = ['sluice@.service', 'sluice-backup@.service', 'sluice-backup@.timer'].map(name => {
      const path = join(folder, name)
      writeFileSync(path, textOf('config/service', name).replaceAll('/opt/sluice', ROOT))
      return path
    })
    const { status, stderr } = spawnSync('systemd-analyze', ['verify', ...files])
    expect([status, String(stderr)]).toEqual([0, ''])
  })

  it.skipIf(!has('logrotate', '--version'))(
    'leave a log by hand to logrotate, which cuts the file that a bot writes to',
    () => {
      const folder = mkdtempSync(join(tmpdir(), 'sluice-logs-'))
      afterTest(() => rmSync(folder, { recursive: true, force: true }))
      const log = join(folder, 'bot.log')
      const conf = join(folder, 'conf')
      const written = textOf('config/service/logrotate.conf').replace('/opt/sluice/data/logs/*.log', log)
      writeFileSync(conf, written.replace(/^ *su .*$/m, '').replace(/^ *compress$/m, ''), { mode: 0o644 })
      writeFileSync(log, 'before\n')
      const { status, stderr } = spawnSync('logrotate', ['--force', '--state', join(folder, 'state'), conf])
      expect([status, String(stderr)]).toEqual([0, ''])
      appendFileSync(log, 'after\n')
      expect([readFileSync(log, 'utf8'), readFileSync(`${log}.1`, 'utf8')]).toEqual(['after\n', 'before\n'])
    },
  )
})
