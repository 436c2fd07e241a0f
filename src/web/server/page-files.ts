import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { constants, gzipSync } from 'node:zlib'
import { chartLibrary, pageStyle, scriptOf } from '../../../backtest/report/html/page-script.ts'
import { WATCHED_WORDS } from '../../bot/text/order-status-text.ts'
import { verdictLevel } from '../../compare/comparison-verdict.ts'
import { grouped, withCommas } from '../../domain/numbers/grouped.ts'
import { moneyDecimals } from '../../domain/numbers/money-decimals.ts'
import { ORDER_WORDS } from '../../domain/orders/order-words.ts'

/** A file of the page, in memory. */
export interface PageFile {
  readonly type: string
  readonly plain: Buffer
  readonly gzipped: Buffer
}

const PAGE = join(import.meta.dirname, '../page')
const REPORT_PAGE = join(import.meta.dirname, '../../../backtest/report/page')

/** Words that the page shares with the log: its script imports them from a module that is no script. */
const WORDS = `const ORDER_WORDS = ${JSON.stringify(ORDER_WORDS)};\nconst WATCHED_WORDS = ${JSON.stringify(WATCHED_WORDS)};\n`

/** The modules of the page, each after those it imports. They are one script, so their names must differ. */
const MODULES: readonly string[] = [
  ...[
    'texts',
    'money-text',
    'palette',
    'kline-levels',
    'time-axis',
    'trip-marks',
    'level-scale',
    'order-marks',
    'chart-series',
    'price-chart',
    'range-buttons',
  ].map(name => join(REPORT_PAGE, `${name}.js`)),
  ...[
    'elements',
    'server-calls',
    'figures',
    'tables',
    'kept-places',
    'why-view',
    'overview-screen',
    'chart-screen',
    'orders-screen',
    'command-effects',
    'command-form',
    'risk-screen',
    'comparison-view',
    'studies-view',
    'research-screen',
    'login-screen',
    'news-watch',
    'main',
  ].map(name => join(PAGE, `${name}.js`)),
]

/** Every file of the page by its path; there are no others, so that no path leads out of them. */
export function pageFiles(): ReadonlyMap<string, PageFile> {
  const html = fileOf('text/html; charset=utf-8', readFileSync(join(PAGE, 'index.html'), 'utf8'))
  return new Map([
    ['/', html],
    [
      '/page.css',
      fileOf('text/css; charset=utf-8', `${pageStyle()}${readFileSync(join(PAGE, 'page.css'), 'utf8')}`),
    ],
    [
      '/page.js',
      fileOf(
        'text/javascript; charset=utf-8',
        `${WORDS}${scriptOf(MODULES, [moneyDecimals, grouped, withCommas, verdictLevel])}`,
      ),
    ],
    ['/charts.js', fileOf('text/javascript; charset=utf-8', chartLibrary())],
  ])
}

function fileOf(type: string, text: string): PageFile {
  const plain = Buffer.from(text)
  return { type, plain, gzipped: gzipSync(plain, { level: constants.Z_BEST_COMPRESSION }) }
}
