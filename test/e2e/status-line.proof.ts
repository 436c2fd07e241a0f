import { spawnSync } from 'node:child_process'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { fileWith, ROOT, SluiceProcess, strategyFile } from './sluice-process.ts'

const hasScript = spawnSync('script', ['--version']).status === 0
const ERASED = '\u001b[1G\u001b[2K'

function configOf(): string {
  const strategy = strategyFile('idle', '() => undefined')
  return fileWith(
    'bot.yaml',
    `venue: { type: simulated, speed: 120 }
strategies: [{ file: ${JSON.stringify(strategy)}, symbol: BTC/USDT, interval: 1m, size: { quote: 100 } }]
control: { socket: ${JSON.stringify(join(dirname(strategy), 'bot.sock'))} }
`,
  )
}

it.skipIf(!hasScript).each([120, 40])(
  'a bot on a terminal of %d columns keeps a line below its log, which is gone at the end',
  columns => {
    const command = `stty cols ${columns}; exec ${process.execPath} src/main.js start --config ${configOf()} --stop-after 3s`
    const { stdout, status } = spawnSync('script', ['-qec', command, '/dev/null'], { cwd: ROOT })
    expect(status).toBe(0)
    const rows = String(stdout).split('\r\n')
    /** Lines as they were drawn one after the other in one row; the last is what stays to be seen. */
    const drawn = rows.map(row => row.split(ERASED))
    const lines = drawn.flatMap(row => row.slice(0, -1)).filter(line => line !== '')
    expect(lines.length).toBeGreaterThan(2)
    for (const line of lines) expect(line).toMatch(/^\d\d:\d\d:\d\dZ \| OK/)
    expect(Math.max(...lines.map(({ length }) => length))).toBeLessThan(columns)
    expect(lines.some(line => line.includes('| flat |'))).toBe(columns === 120)
    const seen = drawn.map(row => row.at(-1) ?? '')
    expect(seen.filter(line => line.includes(' | OK'))).toEqual([])
    expect(seen.some(line => line.includes('BTC/USDT 1m close'))).toBe(true)
    expect(seen.slice(seen.indexOf('Summary')).join('')).not.toContain('\u001b')
  },
)

it.each([[], ['--json']])('a bot that is piped writes plain lines (%s)', async (...options) => {
  const bot = new SluiceProcess([
    'src/main.js',
    'start',
    '--config',
    configOf(),
    '--stop-after',
    '2s',
    ...options,
  ])
  expect(await bot.exitCode).toBe(0)
  for (const sign of ['\u001b', '\r', ' | OK']) expect(bot.out).not.toContain(sign)
  const isJson = (line: string) => line.startsWith('{') && line.endsWith('}')
  expect(bot.lines.length).toBeGreaterThan(3)
  expect(bot.lines.filter(isJson)).toEqual(options.length === 0 ? [] : bot.lines)
})
