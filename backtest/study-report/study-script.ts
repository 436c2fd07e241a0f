import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { scriptOf } from '../report/html/page-script.ts'

const PAGE = join(import.meta.dirname, 'page')
const REPORT_PAGE = join(import.meta.dirname, '../report/page')

/** The modules of the page, each after those it imports. They are one script, so their names must differ. */
const MODULES: readonly string[] = [
  ...['read-data', 'texts', 'palette'].map(name => join(REPORT_PAGE, `${name}.js`)),
  ...[
    'columns',
    'scales',
    'plot',
    'layers',
    'page-table',
    'trial-chart',
    'cells',
    'heat-chart',
    'slice-chart',
    'halves-chart',
    'walk-charts',
    'paths-chart',
    'drawdown-chart',
    'trial-filter',
    'trial-grid',
    'study-main',
  ].map(name => join(PAGE, `${name}.js`)),
]

/** The script of the page of a study. */
export function studyScript(): string {
  return scriptOf(MODULES)
}

/** Style of the page of a study, on top of that of a report. */
export function studyStyle(): string {
  return readFileSync(join(PAGE, 'study.css'), 'utf8')
}
