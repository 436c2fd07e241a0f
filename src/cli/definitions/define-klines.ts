import type { Command } from 'commander'
import type { OnExitCode, OutputStreams } from '../streams.ts'
import { defineCheck } from './define-klines-check.ts'
import { defineDownload } from './define-klines-download.ts'
import { defineExport } from './define-klines-export.ts'
import { defineGenerate } from './define-klines-generate.ts'
import { defineImport } from './define-klines-import.ts'
import { defineList } from './define-klines-list.ts'
import { defineResample } from './define-klines-resample.ts'

const DEFINITIONS = [
  defineDownload,
  defineList,
  defineImport,
  defineCheck,
  defineResample,
  defineExport,
  defineGenerate,
]

/** Adds `klines` and its commands to the program. */
export function defineKlines(program: Command, streams: OutputStreams, onExitCode: OnExitCode): void {
  const klines = program
    .command('klines')
    .description('Fetch, import, make up, check, resample and export the klines that backtests read.')
    .helpCommand(false)
  for (const define of DEFINITIONS) define(klines, streams, onExitCode)
}
