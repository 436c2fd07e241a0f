import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { hasChromium } from '../backtest/report/chromium.ts'
import { CONFIGURATION_NAMES, configurationFile, configurationPage } from './configuration-page.ts'
import { EXCHANGE_NAMES, exchangeFile, exchangePage } from './exchange-page.ts'
import { PICTURE, pictureOfReport } from './report-picture.ts'

const ROOT = resolve(import.meta.dirname, '../..')

for (const name of CONFIGURATION_NAMES) write(configurationFile(name), configurationPage(name))
for (const name of EXCHANGE_NAMES) write(exchangeFile(name), exchangePage(name))
if (hasChromium()) write(PICTURE, await pictureOfReport())

function write(file: string, content: string | Buffer): void {
  const path = join(ROOT, file)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, content)
  console.log(`Wrote ${file}.`)
}
