import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { launchChromium } from '../backtest/report/chromium.ts'
import { blocksOf, commandsIn } from './guide-pages.ts'

const ROOT = resolve(import.meta.dirname, '../..')

/** The picture that README.md shows, from the root of the project on. */
export const PICTURE = 'docs/images/report.png'
/** Pixels of it. */
export const SIZE = { width: 1280, height: 880 } as const
/** Bytes that it may have at most. */
export const LARGEST_PICTURE = 160 * 1024

/** The arguments of README.md's commands that make the report: its klines, and its backtest. */
function reportCommands(): readonly (readonly string[])[] {
  const commands = blocksOf('../README.md')
    .filter(({ kind }) => kind === 'sh')
    .flatMap(commandsIn)
  return commands
    .map(command => /^npm run -s (klines|backtest) -- (.*)$/.exec(command))
    .filter(found => found !== null)
    .map(([, script = '', given = '']) => [script, ...given.split(' ')])
}

/** Makes the report in a folder of its own as README.md says, and takes the picture of its top, as PNG. */
export async function pictureOfReport(): Promise<Buffer> {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-picture-'))
  try {
    for (const part of ['strategies', 'config']) symlinkSync(join(ROOT, part), join(folder, part))
    for (const args of reportCommands())
      execFileSync(process.execPath, [join(ROOT, 'src/main.js'), ...args], { cwd: folder, stdio: 'pipe' })
    return await pictureOf(join(folder, 'report.html'))
  } finally {
    rmSync(folder, { recursive: true })
  }
}

async function pictureOf(file: string): Promise<Buffer> {
  const browser = await launchChromium()
  try {
    const page = await browser.newPage({ viewport: SIZE, colorScheme: 'light' })
    await page.goto(pathToFileURL(file).href)
    await page.waitForSelector('html[data-ready]')
    await page.waitForSelector('#price-chart[data-interval]')
    return await page.screenshot()
  } finally {
    await browser.close()
  }
}

/** Width and height of a PNG, which its first chunk begins with. */
export function sizeOf(png: Buffer) {
  if (png.subarray(1, 4).toString() !== 'PNG') throw new Error('This is no PNG.')
  return { width: png.readUInt32BE(16), height: png.readUInt32BE(20) }
}
