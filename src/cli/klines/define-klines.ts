import type { Command } from 'commander'
import type { OnExitCode, Streams } from '../streams.ts'
import { defineCheck } from './define-check.ts'
import { defineDownload } from './define-download.ts'
import { defineExport } from './define-export.ts'
import { defineGenerate } from './define-generate.ts'
import { defineImport } from './define-import.ts'
import { defineList } from './define-list.ts'
import { defineResample } from './define-resample.ts'

/** Adds `klines` and its commands to the program. */
export function defineKlines(program: Command, streams: Streams, onExitCode: OnExitCode): void {
  const klines = program
    .command('klines')
    .description('Fetch, import, make up, check, resample and export the klines that backtests read.')
    .helpCommand(false)
  defineDownload(klines, streams, onExitCode)
  defineList(klines, streams, onExitCode)
  defineImport(klines, streams, onExitCode)
  defineCheck(klines, streams, onExitCode)
  defineResample(klines, streams, onExitCode)
  defineExport(klines, streams, onExitCode)
  defineGenerate(klines, streams, onExitCode)
}
