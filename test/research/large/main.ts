import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import Table from 'cli-table3'
import { Command } from 'commander'
import { wholeNumberOption } from '../../../src/cli/option-values.ts'
import { hasChromium, launchChromium } from '../../backtest/report/chromium.ts'
import { makeStudy } from './made-study.ts'

const command = new Command('large-study')
  .description('Makes a study of very many trials, and measures what reads it.')
  .argument('<folder>', 'where study, page and exports are written; a study that is there is used')
  .option('--trials <number>', 'trials of the study', wholeNumberOption(1), 1_000_000)
  .option('--days <number>', 'daily returns of each trial', wholeNumberOption(30), 90)
  .option('--only <names>', 'of list, show, report, csv, parquet, page, with commas')
  .parse()
const [folder = ''] = command.args
const { trials, days, only } = command.opts<{ trials: number; days: number; only?: string }>()

/** Last line of a process of Sluice, which has the peak of that process alone. */
const PEAK = `data:text/javascript,import{readFileSync}from'node:fs';process.on('exit',()=>process.stderr.write('PEAK '+(/VmHWM:\\s+(\\d+)/.exec(readFileSync('/proc/self/status','latin1'))??[])[1]+' CPU '+(u=>(u.user+u.system)/1e6)(process.cpuUsage())))`

const MB = 1e6
const table = new Table({ head: ['what', 'seconds', 'CPU s', 'peak MB', 'file MB'] })

function measured(name: string, words: readonly string[], file?: string): void {
  if (only !== undefined && !only.split(',').includes(name)) return
  const started = performance.now()
  const { status, stderr } = spawnSync(
    process.execPath,
    ['--import', PEAK, 'src/main.js', 'studies', ...words, '--study', study],
    { encoding: 'utf8', maxBuffer: 2 ** 30 },
  )
  const seconds = (performance.now() - started) / 1000
  if (status !== 0) console.log(`${name} ended with ${status}: ${stderr.slice(0, 500)}`)
  const [, peak, cpu] = /PEAK (\d+) CPU ([\d.]+)/.exec(stderr) ?? []
  table.push([name, seconds.toFixed(1), Number(cpu).toFixed(1), megabytes(Number(peak) * 1024), sizeOf(file)])
}

async function measurePage(file: string): Promise<void> {
  if (!existsSync(file) || !hasChromium() || (only !== undefined && !only.split(',').includes('page'))) return
  const browser = await launchChromium()
  const page = await browser.newPage()
  const started = performance.now()
  await page.goto(pathToFileURL(file).href, { waitUntil: 'commit' })
  await page.waitForSelector('html[data-ready], html[data-failed]', { timeout: 300_000 })
  const seconds = (performance.now() - started) / 1000
  const session = await browser.newBrowserCDPSession()
  const { processInfo } = await session.send('SystemInfo.getProcessInfo')
  const renderers = processInfo.filter(({ type }) => type === 'renderer')
  const cpu = Math.max(...renderers.map(({ cpuTime }) => cpuTime))
  const peaks = renderers.map(({ id }) =>
    Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${id}/status`, 'latin1'))?.[1]),
  )
  table.push([
    'page in Chromium, until ready',
    ...[seconds.toFixed(1), cpu.toFixed(1), megabytes(Math.max(...peaks) * 1024), sizeOf(file)],
  ])
  await browser.close()
}

function megabytes(bytes: number): string {
  return (bytes / MB).toFixed(0)
}

function sizeOf(file: string | undefined): string {
  return file === undefined || !existsSync(file) ? '' : megabytes(statSync(file).size)
}

mkdirSync(folder, { recursive: true })
const study = join(folder, `study-${trials}-${days}.sqlite`)
if (!existsSync(study)) {
  const started = performance.now()
  makeStudy(study, { trials, days })
  table.push(['writing the study', ((performance.now() - started) / 1000).toFixed(1), '', '', sizeOf(study)])
}
const [html, csv, parquet] = ['page.html', 'trials.csv', 'trials.parquet'].map(name =>
  join(folder, name),
) as [string, string, string]
measured('list', ['list'])
measured('show', ['show', 'sma-cross'])
measured('report', ['report', 'sma-cross', '--html', html], html)
measured('csv', ['export', csv], csv)
measured('parquet', ['export', parquet], parquet)
await measurePage(html)
console.log(`${trials} trials of ${days} days\n${table.toString()}`)
