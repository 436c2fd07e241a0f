import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { moneyDecimals } from '../../../src/domain/numbers/money-decimals.ts'

/** The modules of the page, each after those it imports. They are one script in the page, so their names must differ. */
const MODULES: readonly string[] = [
  'read-data',
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
  'equity-chart',
  'trip-list',
  'main',
]

const PAGE = join(import.meta.dirname, '../page')

/** The script of the page: its modules joined, without their imports and exports. */
export function pageScript(): string {
  return scriptOf(
    MODULES.map(name => join(PAGE, `${name}.js`)),
    [moneyDecimals],
  )
}

/**
 * Modules of a page as one script, without their imports and exports: each file after those it imports. `shared` are functions of
 * other modules that they call, each of which refers to nothing outside itself.
 */
export function scriptOf(
  files: readonly string[],
  shared: readonly ((...given: never) => unknown)[] = [],
): string {
  const modules = files.map(file => withoutImports(readFileSync(file, 'utf8')))
  return `(() => {\n'use strict'\n${[...shared, ...modules].join('\n')}\n})()\n`
}

export function pageStyle(): string {
  return readFileSync(join(PAGE, 'style.css'), 'utf8')
}

/** TradingView's chart library as its package ships it for a page, with its licence notice; it makes `LightweightCharts` global. */
export function chartLibrary(): string {
  const folder = dirname(fileURLToPath(import.meta.resolve('lightweight-charts/package.json')))
  return readFileSync(join(folder, 'dist/lightweight-charts.standalone.production.js'), 'utf8')
}

function withoutImports(code: string): string {
  return code.replace(/^import [^;]*? from '[^']+'$/gms, '').replace(/^export /gm, '')
}
