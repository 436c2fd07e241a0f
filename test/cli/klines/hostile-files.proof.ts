import { execFile } from 'node:child_process'
import { truncateSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { GrowingColumns } from '../../../src/klines/formats/growing-columns.ts'
import { fileOf } from '../../klines/formats/data-files.ts'
import { zipOf } from '../../klines/formats/zip-of.ts'
import { scratchFolder } from '../../klines/store/scratch-store.ts'
import { ROOT } from '../sluice-process.ts'

const START = Date.UTC(2024, 0, 1)
const MB = 1024 ** 2
const HEADER = 'idx,open,high,low,close,vol\n'
const ROWS = Array.from({ length: 3000 }, (_, minute) => `${START + minute * 60_000},10,12,9,11,1\n`).join('')
const WHERE = ['--venue', 'here', '--symbol', 'BTC/USDT', '--interval', '1m']

/** What a process with little memory says of a file, and the most memory that it had, in MB. */
function imported(file: string): Promise<{ exitCode: number | string | null; err: string; peak: number }> {
  // The kernel's figure of this program: `resourceUsage` also counts the process that started it.
  const report = `import { readFileSync } from 'node:fs'
    const peak = () => /VmHWM:\\s*(\\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]
    process.on('exit', () => console.log('peak', process.platform === 'linux' ? peak() : process.resourceUsage().maxRSS))`
  const args = [
    ...['--max-old-space-size=48', '--import', `data:text/javascript,${encodeURIComponent(report)}`],
    ...[join(ROOT, 'src/main.js'), 'klines', 'import', file, ...WHERE, '--store', scratchFolder()],
  ]
  return new Promise(resolve =>
    execFile(process.execPath, args, { cwd: ROOT, timeout: 60_000 }, (error, out, err) =>
      resolve({ exitCode: error?.code ?? 0, err, peak: Number(/peak (\d+)/.exec(out)?.[1]) / 1024 }),
    ),
  )
}

describe('an import in a process with little memory', () => {
  it.each<readonly [string, () => string, string]>([
    [
      'a line without an end, packed',
      () => fileOf(gzipSync(`${HEADER}${ROWS}${'1'.repeat(96 * MB)}`), 'k.csv.gz'),
      'Line 3002 of FILE is longer than 65536 bytes; expected a text of short rows.',
    ],
    [
      'commas without an end',
      () => fileOf(gzipSync(`${HEADER}${ROWS}${','.repeat(96 * MB)}`), 'k.csv.gz'),
      'Line 3002 of FILE is longer than 65536 bytes',
    ],
    [
      'a line without an end, in a ZIP file',
      () => fileOf(zipOf({ 'k.csv': `${HEADER}${ROWS}${' '.repeat(96 * MB)}` }), 'k.zip'),
      'Line 3002 of FILE is longer than 65536 bytes',
    ],
    [
      'an entry of JSON without an end',
      () => fileOf(gzipSync(`[[${START},10,12,9,11,1],${' '.repeat(96 * MB)}`), 'k.json.gz'),
      'Entry 2 of FILE is longer than 65536 bytes',
    ],
    [
      'lines without anything on them',
      () => fileOf(gzipSync(`${HEADER}${ROWS}${'\n'.repeat(96 * MB)}`), 'k.csv.gz'),
      'FILE has 3000 rows and more than 100000 lines or entries beyond that which are no rows; give a file of rows.',
    ],
    [
      'a terabyte of rows',
      () => {
        const file = fileOf(`${HEADER}${ROWS.repeat(4)}`)
        truncateSync(file, 1024 ** 4)
        return file
      },
      'FILE has more rows than fit into memory: ',
    ],
  ])('refuses %s with a sentence', async (_what, make, sentence) => {
    const file = make()
    const { exitCode, err, peak } = await imported(file)
    expect([exitCode, err.trim()]).toEqual([2, expect.stringContaining(sentence.replace('FILE', file))])
    expect(peak).toBeLessThan(200)
  })
})

describe('the columns of a file', () => {
  const row = new Float64Array([1, 2])

  it('take as many rows as fit into memory, and no more', () => {
    const columns = new GrowingColumns(2, 'k.csv', 16 * 5000 + 8)
    for (let index = 0; index < 5000; index++) columns.append(row)
    expect(() => columns.append(row)).toThrow(
      'k.csv has more rows than fit into memory: 5001 rows take 1 MB, but 0 MB may be used; split it into several files.',
    )
    expect(columns.length).toBe(5000)
  })

  it('take fewer rows than were expected, but not far fewer', () => {
    expect(() => new GrowingColumns(2, 'k.csv', 16 * 5000).reserveAbout(6000)).not.toThrow()
    expect(() => new GrowingColumns(2, 'k.csv', 16 * 5000).reserveAbout(6300)).toThrow('fit into memory')
  })
})
